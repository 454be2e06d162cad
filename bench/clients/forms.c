// Sends many small uploads over kept-alive connections, one at a time on each, and prints one line of JSON.
//
//   forms PORT CONNECTIONS COUNT HEAD BODY TAIL
//
// HEAD, BODY and TAIL are files and together one request. In HEAD every "NNN" becomes the number of the request, in three
// digits of base 36, so that each file has a name of its own and all requests have one length. Whatever is not answered with
// 201 is an error, and the connection's end is one too.
#include <fcntl.h>
#include <sys/stat.h>

#include "common.h"

struct connection {
    int socket;
    uint64_t sent_at;
    uint64_t missing;  // bytes of the answer's body that have not come; counts once its head is complete
    bool has_head;
    struct answer_head answer;
};

static char *request;
static size_t request_size, head_size;
static unsigned wanted, begun, accepted, answered;
static int last_status;
static uint64_t *latencies;

static size_t read_file(const char *path, char *into, size_t room) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path);
    ssize_t count = read(file, into, room);
    if (count < 0 || (size_t)count == room) fprintf(stderr, "%s is too large\n", path), exit(1);
    close(file);
    return (size_t)count;
}

static void number_request(unsigned number) {
    static char *places[16];
    static unsigned count;
    for (char *found = request; count == 0 && (found = strstr(found, "NNN")) && found < request + head_size; found += 3)
        if (count < 16) places[count++] = found;
    for (unsigned place = 0; place < count; place++)
        for (unsigned digit = 0, rest = number; digit < 3; digit++, rest /= 36)
            places[place][2 - digit] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % 36];
}

/// False when there is nothing more to send.
static bool send_next(struct connection *connection) {
    if (begun == wanted) return false;
    number_request(begun++);
    connection->answer.size = 0;
    connection->has_head = false;
    connection->sent_at = now();
    // A request is smaller than the buffer of a socket that has nothing else to send.
    if (send(connection->socket, request, request_size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)request_size) fail("send");
    return true;
}

/// True when the whole answer has come.
static bool read_answer(struct connection *connection) {
    char bytes[16 << 10];
    ssize_t count = recv(connection->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) fprintf(stderr, "the server closed a connection\n"), exit(1);
    size_t body = (size_t)count;
    if (!connection->has_head) {
        size_t taken = add_to_head(&connection->answer, bytes, (size_t)count);
        if (taken == 0) return false;
        connection->has_head = true;
        connection->missing = content_length_of(&connection->answer);
        body -= taken;
    }
    if (body > connection->missing) fprintf(stderr, "an answer is longer than it says\n"), exit(1);
    connection->missing -= body;
    if (connection->missing > 0) return false;
    last_status = status_of(&connection->answer);
    accepted += last_status == 201;
    latencies[answered++] = now() - connection->sent_at;
    return true;
}

static int by_size(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    if (count != 7) return fprintf(stderr, "usage: forms PORT CONNECTIONS COUNT HEAD BODY TAIL\n"), 2;
    enum { room = 64 << 10 };
    unsigned connections = (unsigned)atoi(arguments[2]);
    wanted = (unsigned)atoi(arguments[3]);
    if (wanted > 36 * 36 * 36) return fprintf(stderr, "at most 46,656 requests have names of their own\n"), 2;
    request = malloc(room);
    head_size = request_size = read_file(arguments[4], request, room);
    size_t body_size = read_file(arguments[5], request + request_size, room - request_size);
    request_size += body_size;
    request_size += read_file(arguments[6], request + request_size, room - request_size);
    latencies = calloc(wanted, sizeof *latencies);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct connection *all = calloc(connections, sizeof *all);
    for (unsigned index = 0; index < connections; index++) {
        all[index].socket = connect_to_loopback(arguments[1]);
        epoll_ctl(poll, EPOLL_CTL_ADD, all[index].socket, &(struct epoll_event){.events = EPOLLIN, .data.ptr = &all[index]});
    }
    uint64_t begin = now();
    for (unsigned index = 0; index < connections; index++) send_next(&all[index]);
    struct epoll_event events[256];
    while (answered < wanted) {
        int ready = epoll_wait(poll, events, 256, -1);
        for (int index = 0; index < ready; index++)
            if (read_answer(events[index].data.ptr)) send_next(events[index].data.ptr);
    }
    double seconds = (double)(now() - begin) / 1e9;
    qsort(latencies, answered, sizeof *latencies, by_size);
    printf("{\"seconds\": %.6f, \"requests\": %u, \"bytes\": %llu, \"errors\": %u, \"status\": %d, \"p50_us\": %.1f, \"p99_us\": %.1f}\n",
        seconds, accepted, (unsigned long long)accepted * body_size, wanted - accepted, last_status,
        (double)latencies[answered / 2] / 1e3, (double)latencies[answered * 99 / 100] / 1e3);
    return 0;
}
