// The floor for uploads: recv into one buffer, write it to a file, answer 201 when Content-Length bytes have come.
//
//   receive PORT DIRECTORY [sync]     the files are DIRECTORY/floor-N; with sync, fsync comes before the answer
//
// It trusts its client: one request at a time on a connection, a Content-Length in every head, heads under 16 KiB.
#include <strings.h>

#include "common.h"

enum { head_limit = 16 << 10, piece_bytes = 1 << 20 };

struct connection {
    int socket;
    int file;           // -1 while the head is read
    uint64_t missing;   // bytes of the body that have not come
    size_t head_size;   // bytes of the head read so far
    char head[head_limit + 1];
};

static const char *directory;
static bool syncs;
static unsigned next_number;
static char piece[piece_bytes];

static bool say(struct connection *connection, const char *text) {
    return send(connection->socket, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

static bool write_whole(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static bool finish(struct connection *connection) {
    if (syncs && fsync(connection->file) < 0) return false;
    close(connection->file);
    connection->file = -1;
    connection->head_size = 0;
    return say(connection, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
}

static bool take_body(struct connection *connection, const char *bytes, size_t count) {
    if (!write_whole(connection->file, bytes, count)) return false;
    connection->missing -= count;
    return connection->missing > 0 || finish(connection);
}

/// Reads on in the head; when it is complete, opens the file and takes the part of the body that came with it.
static bool take_head(struct connection *connection) {
    ssize_t count = recv(connection->socket, connection->head + connection->head_size, head_limit - connection->head_size, 0);
    if (count <= 0) return count < 0 && errno == EAGAIN;
    connection->head_size += (size_t)count;
    connection->head[connection->head_size] = 0;
    char *end = strstr(connection->head, "\r\n\r\n");
    if (!end) return connection->head_size < head_limit;
    size_t body_begin = (size_t)(end + 4 - connection->head);
    end[2] = 0;  // what follows is content and must not be searched for fields
    char *length = strcasestr(connection->head, "\r\nContent-Length:");
    if (!length) {  // no upload: how the harness asks whether anyone is there
        connection->head_size = 0;
        return say(connection, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    }
    connection->missing = strtoull(length + 17, NULL, 10);
    if (strcasestr(connection->head, "\r\nExpect: 100-continue") && !say(connection, "HTTP/1.1 100 Continue\r\n\r\n")) return false;
    char path[4096];
    snprintf(path, sizeof path, "%s/floor-%u", directory, next_number++);
    connection->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (connection->file < 0) return false;
    return take_body(connection, connection->head + body_begin, connection->head_size - body_begin);
}

static bool serve(struct connection *connection) {
    if (connection->file < 0) return take_head(connection);
    size_t wanted = connection->missing < sizeof piece ? (size_t)connection->missing : sizeof piece;
    ssize_t count = recv(connection->socket, piece, wanted, 0);
    if (count <= 0) return count < 0 && errno == EAGAIN;
    return take_body(connection, piece, (size_t)count);
}

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: receive PORT DIRECTORY [sync]\n"), 2;
    directory = arguments[2];
    syncs = count > 3 && strcmp(arguments[3], "sync") == 0;
    int listener = listen_on_loopback(arguments[1]);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    // The listener is the one event without a connection.
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
    struct epoll_event events[64];
    while (true) {
        int ready = epoll_wait(poll, events, 64, -1);
        for (int index = 0; index < ready; index++) {
            struct connection *connection = events[index].data.ptr;
            if (!connection) {
                for (int socket; (socket = accept_connection(listener)) >= 0;) {
                    connection = calloc(1, sizeof *connection);
                    connection->socket = socket;
                    connection->file = -1;
                    epoll_ctl(poll, EPOLL_CTL_ADD, socket, &(struct epoll_event){.events = EPOLLIN, .data.ptr = connection});
                }
            } else if (!serve(connection)) {
                close(connection->socket);
                if (connection->file >= 0) close(connection->file);
                free(connection);
            }
        }
    }
}
