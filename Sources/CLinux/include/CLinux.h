#ifndef GALLERY_CLINUX_H
#define GALLERY_CLINUX_H

/* _GNU_SOURCE is not defined here, because it changes the system's types: Swift also imports them with
   Glibc, and both must be the same. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* Swift can call neither variadic functions, such as prctl and syscall, nor the macros for control
   messages. Like these, all functions here return -1 and set errno on failure. */

int clinux_set_no_new_privileges(void);

/* Prevents core dumps, and access by other processes of the user. */
int clinux_set_undumpable(void);

/* Makes the kernel send SIGKILL when the thread that started this process ends. */
int clinux_set_end_with_parent(void);

/* The rules of Landlock (landlock(7)). Old headers lack them; they are the same on every architecture. */
struct clinux_landlock_rules {
  uint64_t file_access;
  uint64_t network_access;
  uint64_t scopes;
};

/* Returns the version of Landlock that the kernel supports. */
long clinux_landlock_version(void);

/* Makes a set of rules that denies the accesses in `rules`; `size` is the size of the part of the
   structure that the kernel knows. */
long clinux_landlock_make(const struct clinux_landlock_rules *rules, size_t size);

long clinux_landlock_enforce(int rules);

/* Installs a filter for all threads of the process (seccomp(2)). */
long clinux_filter_system_calls(const struct sock_fprog *program);

/* Returns AT_EMPTY_PATH, the flag with which fstatat(2) examines the descriptor itself. */
uint32_t clinux_empty_path(void);

/* Returns the architecture that numbers the system calls; 0 for an architecture without a filter. */
uint32_t clinux_audit_architecture(void);

/* Returns the flags of clone(2) that distinguish a new thread from a new process. */
uint32_t clinux_thread_flags(void);

/* Makes all threads share one heap, and makes free(3) return large blocks to the system. */
void clinux_keep_heap_small(void);

/* Makes free(3) keep up to 8 MB for the next malloc(3), instead of returning them to the system. */
void clinux_keep_freed_memory(void);

/* Returns the number of processors that this process may run on. */
int clinux_processor_count(void);

/* Makes a file in memory, without a path. */
int clinux_memory_file(const char *name);

/* Makes the file immutable for every process that has it open. */
int clinux_seal(int file);

/* Frees the space of a range of bytes within a file; they read as zeros afterwards
   (fallocate(2), FALLOC_FL_PUNCH_HOLE). */
int clinux_punch_hole(int file, off_t start, off_t count);

/* Gives a file the content of another file; both share the blocks until one of them changes
   (ioctl_ficlonerange(2), FICLONE). */
int clinux_clone(int file, int source);

/* Renames a file; fails with EEXIST when the target exists (renameat2(2), RENAME_NOREPLACE). */
int clinux_rename_new(const char *path, const char *target);

/* Flushes the file system that contains a file (syncfs(2)). */
int clinux_sync_filesystem(int file);

/* Set and read an attribute of a file (xattr(7)). Reading does not follow a link, and returns the number
   of bytes. */
int clinux_set_attribute(int file, const char *name, const void *value, size_t count);
ssize_t clinux_attribute(const char *path, const char *name, void *value, size_t count);

/* Reads the creation time of a file (statx(2)), which a copy does not share: whole seconds since 1970, and
   the rest in nanoseconds. */
int clinux_birth(const char *path, int64_t *seconds, int64_t *nanoseconds);

/* The name of the file system that contains an open file, if other machines or programs keep it: they change it without
   the kernel of this one, and reading from it may wait for them. NULL for any other (statfs(2)). */
const char *clinux_distant_file_system(int file);

/* Opens a file if its path is in the memory of the kernel, so that the disk is not asked; fails with EAGAIN otherwise
   (openat2(2), RESOLVE_CACHED). A kernel before Linux 5.12 asks the disk, as open(2) does. */
int clinux_open_cached(const char *path, int flags);

/* Opens a file below a folder by a path without "..", and follows no link on the way (openat2(2),
   RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS). Fails with ENOSYS when the system does not have the call. */
int clinux_open_beneath(int folder, const char *path, int flags);

/* Makes both ends of a connection; other programs do not inherit them. */
int clinux_connected_pair(int pair[2]);

/* Sends bytes, and a descriptor together with the first byte. It does not raise SIGPIPE. */
ssize_t clinux_send_descriptor(
  int socket, const void *bytes, size_t count, int descriptor);

/* Receives bytes and the descriptor that came with them; the descriptor is -1 when there is none. */
ssize_t clinux_receive_descriptor(
  int socket, void *bytes, size_t count, int *descriptor);

/* Overwrites the passwords of addresses in the arguments of this process, which all users can read in
   /proc/PID/cmdline (proc_pid_cmdline(5)). */
void clinux_mask_passwords(void);

/* Closes all descriptors from `first` on in the program that is started; needs glibc 2.34. */
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
