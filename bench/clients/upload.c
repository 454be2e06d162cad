// Sends one request with a large body on each of several connections at once, and prints one line of JSON.
//
//   upload PORT CONNECTIONS HEAD BODY TAIL
//
// HEAD, BODY and TAIL are files, sent one after the other. In HEAD every "NNN" becomes the number of the connection, in
// three digits, so that each upload has a name of its own and all have one length. BODY goes out by sendfile from the
// page cache: nothing is copied on this side, so the client costs less than any server that takes the bytes.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "common.h"

struct part {
    int file;
    off_t size;
};

struct connection {
    int socket;
    char *head;
    size_t head_sent;
    off_t body_sent, tail_sent;
    struct answer_head answer;
};

enum { turn_bytes = 1 << 20 };  // the most one connection sends before the others have their turn

static struct part body, tail;
static size_t head_size;
static unsigned open_connections, accepted;
static int last_status;

static struct part open_part(const char *path) {
    struct stat status;
    struct part part = {.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (part.file < 0 || fstat(part.file, &status) < 0) fail(path);
    part.size = status.st_size;
    return part;
}

static char *read_head(const char *path, unsigned number) {
    struct part part = open_part(path);
    char *bytes = calloc(1, (size_t)part.size + 1), digits[12];
    if (read(part.file, bytes, (size_t)part.size) != part.size) fail(path);
    close(part.file);
    snprintf(digits, sizeof digits, "%03u", number % 1000);
    for (char *found = bytes; (found = strstr(found, "NNN"));) memcpy(found, digits, 3);
    head_size = (size_t)part.size;
    return bytes;
}

/// Sends from a file. True when all of it has gone; a broken connection shows when the answer is read.
static bool send_part(int socket, struct part part, off_t *sent, off_t most) {
    off_t left = part.size - *sent;
    if (left == 0) return true;
    ssize_t count = sendfile(socket, part.file, sent, (size_t)(left < most ? left : most));
    if (count < 0 && errno != EAGAIN) fail("sendfile");
    return *sent == part.size;
}

static bool send_some(struct connection *connection) {
    if (connection->head_sent < head_size) {
        ssize_t count = send(connection->socket, connection->head + connection->head_sent, head_size - connection->head_sent,
            MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE);
        if (count < 0 && errno != EAGAIN) fail("send");
        if (count > 0) connection->head_sent += (size_t)count;
        if (connection->head_sent < head_size) return false;
    }
    return send_part(connection->socket, body, &connection->body_sent, turn_bytes)
        && send_part(connection->socket, tail, &connection->tail_sent, turn_bytes);
}

/// True when the answer, or the end of the connection, has come.
static bool read_answer(struct connection *connection) {
    char bytes[16 << 10];
    ssize_t count = recv(connection->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) return true;
    if (add_to_head(&connection->answer, bytes, (size_t)count) == 0) return false;
    last_status = status_of(&connection->answer);
    accepted += last_status >= 200 && last_status < 400;
    return true;
}

int main(int count, char **arguments) {
    if (count != 6) return fprintf(stderr, "usage: upload PORT CONNECTIONS HEAD BODY TAIL\n"), 2;
    signal(SIGPIPE, SIG_IGN);
    unsigned connections = (unsigned)atoi(arguments[2]);
    body = open_part(arguments[4]);
    tail = open_part(arguments[5]);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *all = calloc(connections, sizeof *all);
    for (unsigned index = 0; index < connections; index++) {
        all[index].head = read_head(arguments[3], index);
        all[index].socket = connect_to_loopback(arguments[1]);
        // sendfile has no flag of its own for this.
        fcntl(all[index].socket, F_SETFL, O_NONBLOCK);
    }
    uint64_t begin = now();
    open_connections = connections;
    for (unsigned index = 0; index < connections; index++)
        epoll_ctl(poll, EPOLL_CTL_ADD, all[index].socket, &(struct epoll_event){.events = EPOLLIN | EPOLLOUT, .data.ptr = &all[index]});
    struct epoll_event events[256];
    while (open_connections > 0) {
        int ready = epoll_wait(poll, events, 256, -1);
        for (int index = 0; index < ready; index++) {
            struct connection *connection = events[index].data.ptr;
            if ((events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) && read_answer(connection)) {
                close(connection->socket);
                open_connections--;
            } else if ((events[index].events & EPOLLOUT) && send_some(connection)) {
                epoll_ctl(poll, EPOLL_CTL_MOD, connection->socket, &(struct epoll_event){.events = EPOLLIN, .data.ptr = connection});
            }
        }
    }
    printf("{\"seconds\": %.6f, \"requests\": %u, \"bytes\": %llu, \"errors\": %u, \"status\": %d}\n", (double)(now() - begin) / 1e9,
        accepted, (unsigned long long)accepted * (unsigned long long)body.size, connections - accepted, last_status);
    return 0;
}
