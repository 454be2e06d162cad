// The floor for downloads: every request is answered with the whole of one open file, by sendfile.
//
//   sendfile PORT FILE
//
// Sockets are watched edge-triggered for both directions once and for all, so that a full socket costs no epoll_ctl: the
// next edge comes when there is room again. No turn sends more than `turn_bytes`, so that many downloads share the core.
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "common.h"

// The head counts as well, so that the later turns of a large file begin within a page. Measured: turns that begin at the
// start of a page cost up to twice as much on loopback, and so do turns much smaller or larger than this.
enum { turn_bytes = 512 << 10 };

static const uint32_t both_edges = EPOLLIN | EPOLLOUT | EPOLLET;

struct connection {
    int socket;
    uint8_t matched;   // of CRLF CRLF, at the end of what was read
    unsigned owed;     // answers asked for and not finished
    size_t head_sent;  // bytes of the head of the first of them
    off_t body_sent;   // bytes of its body
};

enum outcome { waits, has_more, broken };

static int file;
static off_t file_size;
static char head[256];
static size_t head_size;

static bool read_requests(struct connection *connection) {
    char bytes[16 << 10];
    while (true) {
        ssize_t count = recv(connection->socket, bytes, sizeof bytes, 0);
        if (count == 0) return false;
        if (count < 0) return errno == EAGAIN;
        connection->owed += count_heads(bytes, (size_t)count, &connection->matched);
        if ((size_t)count < sizeof bytes) return true;  // emptied: what comes later makes a new edge
    }
}

static enum outcome send_answers(struct connection *connection) {
    off_t budget = turn_bytes;
    while (connection->owed > 0) {
        if (budget <= 0) return has_more;
        ssize_t sent;
        if (connection->head_sent < head_size) {
            // MSG_MORE keeps the head back until the first bytes of the file fill its packet.
            sent = send(connection->socket, head + connection->head_sent, head_size - connection->head_sent, MSG_NOSIGNAL | MSG_MORE);
            if (sent < 0) return errno == EAGAIN ? waits : broken;
            connection->head_sent += (size_t)sent;
            budget -= sent;
            continue;
        }
        off_t left = file_size - connection->body_sent;
        sent = sendfile(connection->socket, file, &connection->body_sent, (size_t)(left < budget ? left : budget));
        if (sent < 0) return errno == EAGAIN ? waits : broken;
        if (sent == 0 && left > 0) return broken;  // the file shrank
        budget -= sent;
        if (connection->body_sent < file_size) continue;
        connection->owed--;
        connection->head_sent = 0;
        connection->body_sent = 0;
    }
    return waits;
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "usage: sendfile PORT FILE\n"), 2;
    file = open(arguments[2], O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) < 0) fail(arguments[2]);
    file_size = status.st_size;
    head_size = (size_t)sprintf(
        head, "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %lld\r\n\r\n", (long long)file_size);
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
                    epoll_ctl(poll, EPOLL_CTL_ADD, socket, &(struct epoll_event){.events = both_edges, .data.ptr = connection});
                }
                continue;
            }
            bool is_open = !(events[index].events & EPOLLIN) || read_requests(connection);
            switch (is_open ? send_answers(connection) : broken) {
            case waits:
                break;
            case has_more:  // arming anew reports the socket again, after all others have had their turn
                epoll_ctl(poll, EPOLL_CTL_MOD, connection->socket, &(struct epoll_event){.events = both_edges, .data.ptr = connection});
                break;
            case broken:
                close(connection->socket);
                free(connection);
            }
        }
    }
}
