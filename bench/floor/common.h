// What the floor programs share: a listening socket on loopback, a quiet end at SIGTERM, and finding where a head ends.
// They check nothing else about a request. That is the point: no server can answer with less work than they do.
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static inline void fail(const char *what) {
    perror(what);
    exit(1);
}

static inline void leave(int signal_number) {
    (void)signal_number;
    _exit(0);
}

/// Listens on 127.0.0.1 and says at which port on stdout; port 0 takes any free one.
static inline int listen_on_loopback(const char *port) {
    signal(SIGTERM, leave);
    signal(SIGINT, leave);
    signal(SIGPIPE, SIG_IGN);  // sendfile has no flag for it: a peer that went away is an error code, not a death
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) fail("socket");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) < 0) fail("bind");
    if (listen(listener, 4096) < 0) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("listening on port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

/// The next connection, or -1 when there is none for now. Every server that is measured sets TCP_NODELAY, so does this.
static inline int accept_connection(int listener) {
    int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return socket;
}

/// Counts the heads that end in `bytes`. `matched` is how much of CRLF CRLF the bytes before ended with; 0 at first.
static inline unsigned count_heads(const char *bytes, size_t count, uint8_t *matched) {
    unsigned heads = 0;
    uint8_t state = *matched;
    for (size_t index = 0; index < count; index++) {
        if (bytes[index] == "\r\n\r\n"[state]) {
            if (++state == 4) heads++, state = 0;
        } else {
            state = bytes[index] == '\r';
        }
    }
    *matched = state;
    return heads;
}
