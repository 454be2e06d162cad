#ifndef UVDROP_SHIM_H
#define UVDROP_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/uio.h>
#include <unistd.h>
#include <uv.h>

// Swift imports no variadic C functions; each wrapper below is one such call with fixed arguments.

/// openat2(2). Returns a descriptor, or -1 with errno set (ENOSYS before Linux 5.6).
static inline int shim_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/// Whether an open file of this file system never waits for another process or machine, judged by statfs(2): ext2 to 4, XFS, Btrfs,
/// F2FS, ZFS, tmpfs, ramfs. Network file systems, FUSE and what is not known are not.
static inline int shim_is_local(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    switch ((uint32_t)status.f_type) {
        case 0xEF53: case 0x58465342: case 0x9123683E: case 0xF2F52010: case 0x2FC12FC1: case 0x01021994: case 0x858458F6: return 1;
        default: return 0;
    }
}

/// Whether an open file's file system is one whose syncfs(2) is known to wait for the disk and to report what failed, judged by
/// statfs(2): ext2 to 4, XFS, Btrfs, F2FS. 2 for ext2 to 4, where it writes no more than fsync(2) does; Btrfs and F2FS write a whole
/// checkpoint, and fsync(2) a short log.
static inline int shim_syncs_whole(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    switch ((uint32_t)status.f_type) {
        case 0xEF53: return 2;
        case 0x58465342: case 0x9123683E: case 0xF2F52010: return 1;
        default: return 0;
    }
}

/// syncfs(2).
static inline int shim_syncfs(int descriptor) {
    return (int)syscall(SYS_syncfs, descriptor);
}

/// openat(2) with a mode.
static inline int shim_openat(int folder, const char *path, int flags, unsigned mode) {
    return openat(folder, path, flags, mode);
}

/// fcntl(2) F_DUPFD_CLOEXEC: the lowest free descriptor that is at least 3.
static inline int shim_duplicate(int descriptor) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

/// fcntl(2) F_SETFD with FD_CLOEXEC.
static inline int shim_close_on_exec(int descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// prctl(2) PR_SET_PDEATHSIG: the signal that this process gets when the thread that started it ends.
static inline int shim_signal_with_parent(int signal) {
    return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0L, 0L, 0L);
}

/// prctl(2) PR_SET_NAME: what ps(1) shows for the calling thread, and for the process when that is its first one.
static inline void shim_name_thread(const char *name) {
    (void)prctl(PR_SET_NAME, name, 0L, 0L, 0L);
}

/// fcntl(2) F_OFD_SETLKW, which is 38 on Linux: waits for the lock of one byte of a file that is open for writing, or gives it back. The lock is the open
/// file's, not the process's.
static inline int shim_lock_byte(int descriptor, int64_t offset, int locks) {
    struct flock lock = {.l_type = locks ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, 38, &lock);
}

/// The same by F_OFD_SETLK, 37: takes the lock if nobody has it, and is EAGAIN otherwise.
static inline int shim_try_lock_byte(int descriptor, int64_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, 37, &lock);
}

/// getdents64(2): reads entries of a folder, as many as fit. 0 at its end, -1 with errno set.
static inline int64_t shim_read_folder(int descriptor, void *buffer, size_t length) {
    return syscall(SYS_getdents64, descriptor, buffer, length);
}

/// accept4(2): a connection that does not block, and where it comes from.
static inline int shim_accept(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return (int)syscall(SYS_accept4, listener, address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// memfd_create(2) with MFD_CLOEXEC: an unnamed file in memory.
static inline int shim_memory_file(void) {
    return (int)syscall(SYS_memfd_create, "uvdrop", 1u);
}

/// renameat2(2) with RENAME_NOREPLACE: fails with EEXIST when the new name is taken.
static inline int shim_rename_noreplace(int oldFolder, const char *oldName, int newFolder, const char *newName) {
    return (int)syscall(SYS_renameat2, oldFolder, oldName, newFolder, newName, 1u);
}

/// fallocate(2) with FALLOC_FL_KEEP_SIZE, without glibc's emulation by writing: takes disk space from `offset` on.
static inline int shim_reserve(int descriptor, int64_t offset, int64_t length) {
    return (int)syscall(SYS_fallocate, descriptor, 1, offset, length);
}

struct shim_cachestat_range { uint64_t offset, length; };
struct shim_cachestat { uint64_t cached, dirty, writeback, evicted, recently_evicted; };

/// cachestat(2), Linux 6.5: how many pages of a file's range are in the page cache, or -1 with errno set.
static inline int64_t shim_cached_pages(int descriptor, uint64_t offset, uint64_t length) {
    struct shim_cachestat_range range = {offset, length};
    struct shim_cachestat result = {0};
    if (syscall(451, descriptor, &range, &result, 0) != 0) return -1;
    return (int64_t)result.cached;
}

/// Whether the byte at `offset` can be read without waiting for the disk (preadv2(2) with RWF_NOWAIT). EAGAIN means no, and so does
/// EOPNOTSUPP, from a file system that cannot tell.
static inline int shim_reads_at_once(int descriptor, int64_t offset) {
    char byte;
    struct iovec vector = {&byte, 1};
    long count = syscall(SYS_preadv2, descriptor, &vector, 1L, (long)offset, 0L, 0x8L);
    return count >= 0 || (errno != EAGAIN && errno != EOPNOTSUPP);
}

/// preadv2(2) with RWF_NOWAIT: reads what is in the page cache, or returns -1 with errno set.
static inline int64_t shim_read_cached(int descriptor, void *buffer, size_t length, int64_t offset) {
    struct iovec vector = {buffer, length};
    return syscall(SYS_preadv2, descriptor, &vector, 1L, (long)offset, 0L, 0x8L);
}

/// readahead(2): starts reading a range into the page cache.
static inline void shim_readahead(int descriptor, int64_t offset, size_t length) {
    (void)syscall(SYS_readahead, descriptor, offset, length);
}

/// fstatvfs(3): bytes that an unprivileged writer still has, or the largest number where the file system does not say.
static inline uint64_t shim_free_bytes(int descriptor) {
    struct statvfs status;
    if (fstatvfs(descriptor, &status) != 0 || status.f_blocks == 0) return UINT64_MAX;
    return (uint64_t)status.f_bavail * status.f_frsize;
}

/// fstatvfs(3): whether an unprivileged user can make one more file, as far as their number is bounded and the file system says so.
static inline int shim_has_free_files(int descriptor) {
    struct statvfs status;
    return fstatvfs(descriptor, &status) != 0 || status.f_files == 0 || status.f_favail > 0;
}

/// fstatat(2) of what the kernel knows already, where it knows anything: it asks no other process or machine for what may have changed, and
/// mounts nothing. By statx(2) with AT_STATX_DONT_SYNC (0x4000) and AT_NO_AUTOMOUNT (0x800).
static inline int shim_known_status(int folder, const char *name, int flags, struct stat *status) {
    struct statx known;
    if (syscall(SYS_statx, folder, name, flags | 0x4000 | 0x800, STATX_BASIC_STATS, &known) != 0) {
        // Before Linux 4.11, and where a filter forbids it.
        return errno == ENOSYS || errno == EPERM ? fstatat(folder, name, status, flags) : -1;
    }
    memset(status, 0, sizeof *status);
    status->st_mode = known.stx_mode;
    status->st_size = (off_t)known.stx_size;
    status->st_mtim.tv_sec = known.stx_mtime.tv_sec;
    status->st_mtim.tv_nsec = known.stx_mtime.tv_nsec;
    status->st_dev = makedev(known.stx_dev_major, known.stx_dev_minor);
    status->st_ino = known.stx_ino;
    status->st_nlink = known.stx_nlink;
    return 0;
}

/// Whether a file system is mounted at the path, which is followed: 1 or 0, and -1 where the kernel does not tell (before Linux 5.8).
static inline int shim_is_mount_root(const char *path) {
    // statx(2): a structure of 256 bytes, in which stx_attributes is the second number of 64 bits, and the eighth says which of them are
    // told. STATX_ATTR_MOUNT_ROOT is 0x2000.
    uint64_t status[32] = {0};
    if (syscall(SYS_statx, AT_FDCWD, path, 0, 0, status) != 0 || (status[7] & 0x2000) == 0) return -1;
    return (status[1] & 0x2000) != 0;
}

#endif
