// What the load clients share: connecting to loopback, the clock, and reading the head of an answer.
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static inline void fail(const char *what) {
    perror(what);
    exit(1);
}

/// Nanoseconds of a clock that never goes back.
static inline uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// A connection to 127.0.0.1, non-blocking from here on.
static inline int connect_to_loopback(const char *port) {
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (socket_ < 0) fail("socket");
    if (connect(socket_, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return socket_;
}

/// The head of an answer, collected over as many reads as it takes.
struct answer_head {
    size_t size;
    char bytes[(16 << 10) + 1];
};

/// Adds bytes to the head. Returns how many of them belong to it once it is complete, 0 while it is not.
static inline size_t add_to_head(struct answer_head *head, const char *bytes, size_t count) {
    size_t room = sizeof head->bytes - 1 - head->size;
    size_t taken = count < room ? count : room;
    memcpy(head->bytes + head->size, bytes, taken);
    head->bytes[head->size + taken] = 0;
    char *end = strstr(head->bytes, "\r\n\r\n");
    size_t before = head->size;
    head->size += taken;
    if (!end) {
        if (taken < count) fprintf(stderr, "the head of an answer is over 16 KiB\n"), exit(1);
        return 0;
    }
    end[2] = 0;  // ends the text behind the last field
    return (size_t)(end + 4 - head->bytes) - before;
}

static inline int status_of(const struct answer_head *head) { return head->size > 12 ? atoi(head->bytes + 9) : 0; }

/// The length that the head announces; 0 where it says nothing, as in a 304.
static inline uint64_t content_length_of(const struct answer_head *head) {
    const char *field = strcasestr(head->bytes, "\r\nContent-Length:");
    return field ? strtoull(field + 17, NULL, 10) : 0;
}
