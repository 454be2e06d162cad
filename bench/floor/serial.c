// The least that storing files one after the other durably costs: write, fsync, name, fsync of the folder, for each.
//
//   serial DIRECTORY COUNT BYTES     the files are DIRECTORY/serial-N; prints one line of JSON
//
// No name is ever seen before its content is on the disk, and none is counted before the folder is.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void store(int folder, unsigned number, const char *bytes, size_t count) {
    char name[32], temporary[32];
    snprintf(name, sizeof name, "serial-%u", number);
    snprintf(temporary, sizeof temporary, ".serial-%u", number);
    int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) fail("openat");
    if (write(file, bytes, count) != (ssize_t)count) fail("write");
    if (fsync(file) < 0) fail("fsync");
    close(file);
    if (renameat(folder, temporary, folder, name) < 0) fail("renameat");
    if (fsync(folder) < 0) fail("fsync of the folder");
}

int main(int count, char **arguments) {
    if (count != 4) return fprintf(stderr, "usage: serial DIRECTORY COUNT BYTES\n"), 2;
    unsigned files = (unsigned)atoi(arguments[2]);
    size_t size = (size_t)atoll(arguments[3]);
    char *bytes = malloc(size);
    memset(bytes, 'x', size);
    int folder = open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) fail(arguments[1]);
    double begin = now();
    for (unsigned number = 0; number < files; number++) store(folder, number, bytes, size);
    double seconds = now() - begin;
    printf("{\"seconds\": %.6f, \"requests\": %u, \"bytes\": %llu, \"errors\": 0}\n", seconds, files,
        (unsigned long long)files * size);
    return 0;
}
