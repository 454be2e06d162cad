// Downloads over keep-alive connections, one request at a time on each, and prints one line of JSON.
//
//   fetch PORT PATH CONNECTIONS SECONDS [FIELD…]     as much as it can in that time; a FIELD is "Name: value"
//   fetch PORT PATH CONNECTIONS once [FIELD…]        one a connection
//
// When the time is over it leaves the answers that are under way; their bytes count, and they do not count as answers.
// The kernel throws the bytes of a body away when told MSG_TRUNC, so this client costs far less than any server that
// sends them. It counts them; that they are the right ones is checked before the measurement, by another client.
#include "common.h"

enum { receive_bytes = 4 << 20, first_bytes = 16 << 10 };

struct connection {
    int socket;
    bool in_body;
    uint64_t missing;  // bytes of the body that have not come
    uint64_t begin;    // when the request was sent
    struct answer_head head;
};

static char request[8 << 10];
static size_t request_size;
static bool only_once;
static uint64_t deadline;
static unsigned open_connections;
static uint64_t answers, failures, body_bytes;
static uint32_t *latencies;  // microseconds, one an answer
static size_t latency_room;

static void send_request(struct connection *connection) {
    connection->begin = now();
    connection->in_body = false;
    connection->head.size = 0;
    // A request is far smaller than any socket buffer, and the one before it has been answered.
    if (send(connection->socket, request, request_size, MSG_NOSIGNAL) != (ssize_t)request_size) fail("send");
}

static void end_answer(struct connection *connection) {
    uint64_t end = now();
    int status = status_of(&connection->head);
    if (status < 200 || status > 399) failures++;
    if (answers == latency_room) {
        latency_room = latency_room ? latency_room * 2 : 1 << 16;
        latencies = realloc(latencies, latency_room * sizeof *latencies);
        if (!latencies) fail("realloc");
    }
    latencies[answers++] = (uint32_t)((end - connection->begin) / 1000);
    if (only_once) {
        close(connection->socket);
        open_connections--;
    } else {
        send_request(connection);
    }
}

static void receive(struct connection *connection) {
    while (true) {
        ssize_t count;
        if (connection->in_body) {
            count = recv(connection->socket, NULL, connection->missing < receive_bytes ? connection->missing : receive_bytes,
                MSG_TRUNC | MSG_DONTWAIT);
        } else {
            char bytes[first_bytes];
            count = recv(connection->socket, bytes, sizeof bytes, MSG_DONTWAIT);
            if (count > 0) {
                size_t in_head = add_to_head(&connection->head, bytes, (size_t)count);
                if (in_head == 0) continue;
                connection->in_body = true;
                connection->missing = content_length_of(&connection->head);
                count -= (ssize_t)in_head;
                if (count == 0 && connection->missing > 0) continue;
            } else if (count == 0) {
                fprintf(stderr, "the server closed before an answer\n"), exit(1);
            }
        }
        if (count < 0) {
            if (errno == EAGAIN) return;
            fail("recv");
        }
        if (count == 0 && connection->missing > 0) fprintf(stderr, "the server closed within an answer\n"), exit(1);
        body_bytes += (uint64_t)count;
        connection->missing -= (uint64_t)count;
        if (connection->missing == 0) {
            end_answer(connection);
            return;
        }
    }
}

static int by_size(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static unsigned percentile(unsigned percent) { return answers ? latencies[(answers - 1) * percent / 100] : 0; }

int main(int count, char **arguments) {
    if (count < 5) return fprintf(stderr, "usage: fetch PORT PATH CONNECTIONS SECONDS|once [FIELD…]\n"), 2;
    request_size = (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n", arguments[2], arguments[1]);
    for (int index = 5; index < count; index++)
        request_size += (size_t)snprintf(request + request_size, sizeof request - request_size, "%s\r\n", arguments[index]);
    request_size += (size_t)snprintf(request + request_size, sizeof request - request_size, "\r\n");
    if (request_size >= sizeof request) return fprintf(stderr, "the fields are too long\n"), 2;
    unsigned connections = (unsigned)atoi(arguments[3]);
    only_once = strcmp(arguments[4], "once") == 0;

    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *all = calloc(connections, sizeof *all);
    for (unsigned index = 0; index < connections; index++) {
        all[index].socket = connect_to_loopback(arguments[1]);
        epoll_ctl(poll, EPOLL_CTL_ADD, all[index].socket, &(struct epoll_event){.events = EPOLLIN, .data.ptr = &all[index]});
    }
    open_connections = connections;
    uint64_t begin = now();
    deadline = begin + (uint64_t)(atof(arguments[4]) * 1e9);
    for (unsigned index = 0; index < connections; index++) send_request(&all[index]);
    struct epoll_event events[1024];
    while (open_connections > 0 && (only_once || now() < deadline)) {
        int ready = epoll_wait(poll, events, 1024, 100);
        for (int index = 0; index < ready; index++) receive(events[index].data.ptr);
    }
    double seconds = (double)(now() - begin) / 1e9;
    qsort(latencies, answers, sizeof *latencies, by_size);
    printf("{\"seconds\": %.6f, \"requests\": %llu, \"bytes\": %llu, \"errors\": %llu, \"p50_us\": %u, \"p99_us\": %u}\n", seconds,
        (unsigned long long)answers, (unsigned long long)body_bytes, (unsigned long long)failures, percentile(50), percentile(99));
    return 0;
}
