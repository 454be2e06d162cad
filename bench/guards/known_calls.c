// Lets valgrind run a program that uses system calls which valgrind does not know, for LD_PRELOAD.
//
// valgrind 3.19 answers openat2 and cachestat with ENOSYS, and the server would take the ways that it has for old kernels:
// what is counted would not be what runs. The instructions of a system call are the kernel's and not counted, so it does
// not matter that another call stands in. It does matter that this never serves anybody: openat does not keep a path
// beneath a folder.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>

enum { cachestat_number = 451, page_bytes = 4096 };

long syscall(long number, ...) {
    static long (*real)(long, ...);
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; index++) arguments[index] = va_arg(list, long);
    va_end(list);
    if (number == SYS_openat2) {
        const struct open_how *how = (const struct open_how *)arguments[2];
        return openat((int)arguments[0], (const char *)arguments[1], (int)how->flags, (mode_t)how->mode);
    }
    if (number == cachestat_number) {
        const uint64_t *range = (const uint64_t *)arguments[1];  // offset and length
        uint64_t *result = (uint64_t *)arguments[2];             // pages in the cache, and four more counts
        result[0] = range[1] == 0 ? 0 : (range[0] + range[1] - 1) / page_bytes - range[0] / page_bytes + 1;
        return 0;
    }
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
