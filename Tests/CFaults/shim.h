#ifndef UVDROP_FAULTS_H
#define UVDROP_FAULTS_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Swift imports no variadic C functions.

/// EXT4_IOC_SHUTDOWN without a flush of the log: from now on nothing of the file system mounted at `path` reaches its disk, and every
/// call that would have to write fails with EIO. -1 with errno set when that cannot be done.
static inline int faults_cut_power(const char *path) {
    uint32_t withoutLogFlush = 2;
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int result = ioctl(descriptor, 0x8004587d, &withoutLogFlush);
    close(descriptor);
    return result;
}

/// Takes the locks of all bytes of the file at `path`, which is open then: F_OFD_SETLK is 37. -1 when somebody has one of them.
static inline int faults_lock_all(const char *path) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor >= 0 && fcntl(descriptor, 37, &lock) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

#endif
