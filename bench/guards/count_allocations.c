// Counts the allocations of a program, for LD_PRELOAD.
//
// The count lies in the file that GUARD_COUNT names, which is mapped: it can be read while the program runs. Every call that
// may take memory counts as one; freeing does not count. The calls go on to glibc under its own names for them, so nothing
// has to be looked up, and looking up could allocate.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic unsigned long long unmapped;
static _Atomic unsigned long long *count = &unmapped;

static void counted(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

__attribute__((constructor)) static void map_count(void) {
    const char *path = getenv("GUARD_COUNT");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof unmapped) < 0) return;
    void *memory = mmap(NULL, sizeof unmapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) count = memory;
}

void *malloc(size_t size) {
    counted();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    counted();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    counted();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    counted();
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    counted();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    counted();
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}
