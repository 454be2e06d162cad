// The floor for small answers: an epoll loop that answers every request with the same bytes, held in memory.
//
//   constant PORT BODY_BYTES          answers 200 with a body of that size
//   constant PORT 0 304               answers 304, which has no body
//
// Pipelined requests are answered in order: what is owed is counted in bytes, and all answers are alike.
#include "common.h"

struct connection {
    int socket;
    uint8_t matched;      // of CRLF CRLF, at the end of what was read
    bool waits_to_write;  // EPOLLOUT is asked for instead of EPOLLIN
    uint64_t owed;        // bytes of answers not yet written
};

static char *answer;
static size_t answer_size;

static void make_answer(size_t body_size, const char *status) {
    bool has_body = strcmp(status, "304") != 0;
    answer = malloc(body_size + 256);
    if (!answer) fail("malloc");
    int head = has_body
        ? sprintf(answer, "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %zu\r\n\r\n", body_size)
        : sprintf(answer, "HTTP/1.1 304 Not Modified\r\nETag: \"floor\"\r\n\r\n");
    memset(answer + head, 'x', body_size);
    answer_size = (size_t)head + (has_body ? body_size : 0);
}

/// Writes until nothing is owed or the socket is full. False when the connection is broken.
static bool write_owed(struct connection *connection) {
    while (connection->owed > 0) {
        size_t rest = connection->owed % answer_size;  // of the answer that was begun; 0 when the next one begins
        size_t size = rest ? rest : answer_size;
        ssize_t sent = send(connection->socket, answer + answer_size - size, size, MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN;
        connection->owed -= (uint64_t)sent;
    }
    return true;
}

static bool serve(struct connection *connection) {
    if (!connection->waits_to_write) {
        char bytes[16 << 10];
        ssize_t count = recv(connection->socket, bytes, sizeof bytes, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN)) return false;
        if (count > 0) connection->owed += (uint64_t)count_heads(bytes, (size_t)count, &connection->matched) * answer_size;
    }
    return write_owed(connection);
}

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: constant PORT BODY_BYTES [304]\n"), 2;
    make_answer(strtoul(arguments[2], NULL, 10), count > 3 ? arguments[3] : "200");
    int listener = listen_on_loopback(arguments[1]);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    // The listener is the one event without a connection.
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
    struct epoll_event events[1024];
    while (true) {
        int ready = epoll_wait(poll, events, 1024, -1);
        for (int index = 0; index < ready; index++) {
            struct connection *connection = events[index].data.ptr;
            if (!connection) {
                for (int socket; (socket = accept_connection(listener)) >= 0;) {
                    connection = calloc(1, sizeof *connection);
                    connection->socket = socket;
                    epoll_ctl(poll, EPOLL_CTL_ADD, socket, &(struct epoll_event){.events = EPOLLIN, .data.ptr = connection});
                }
            } else if (!serve(connection)) {
                close(connection->socket);
                free(connection);
            } else if ((connection->owed > 0) != connection->waits_to_write) {
                connection->waits_to_write = connection->owed > 0;
                uint32_t interest = connection->waits_to_write ? EPOLLOUT : EPOLLIN;
                epoll_ctl(poll, EPOLL_CTL_MOD, connection->socket, &(struct epoll_event){.events = interest, .data.ptr = connection});
            }
        }
    }
}
