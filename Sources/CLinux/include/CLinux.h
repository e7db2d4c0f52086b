#ifndef GALLERY_CLINUX_H
#define GALLERY_CLINUX_H

/* Without _GNU_SOURCE, which changes the system's own types: Swift imports them a second time with
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

/* prctl and syscall are variadic in C, which Swift cannot call; the macros around control messages
   are out of its reach as well. All functions give -1 with errno on failure, as theirs do. */

int clinux_set_no_new_privileges(void);

/* Neither core dumps nor being looked into by other processes of the user. */
int clinux_set_undumpable(void);

/* SIGKILL when the thread that started this process ends. */
int clinux_set_end_with_parent(void);

/* Landlock (landlock(7)). Old headers lack it, and its numbers are the same on every architecture. */
struct clinux_landlock_rules {
  uint64_t file_access;
  uint64_t network_access;
  uint64_t scopes;
};

/* The version of Landlock that the kernel offers. */
long clinux_landlock_version(void);

/* A set of rules that denies what `rules` names; `size` is how much of it the kernel knows. */
long clinux_landlock_make(const struct clinux_landlock_rules *rules, size_t size);

long clinux_landlock_enforce(int rules);

/* Puts a filter over all threads of the process (seccomp(2)). */
long clinux_filter_system_calls(const struct sock_fprog *program);

/* The flag with which a look at a descriptor is a look at an empty path from it (AT_EMPTY_PATH). */
uint32_t clinux_empty_path(void);

/* The architecture that system calls are counted in; 0 for one that no filter is known for. */
uint32_t clinux_audit_architecture(void);

/* The threads share all memory, as those of one process do. */
uint32_t clinux_thread_flags(void);

/* One heap for all threads, and large pieces given back to the system when they are freed. */
void clinux_keep_heap_small(void);

/* How many processors this program may run on. */
int clinux_processor_count(void);

/* A file without a name, in memory. */
int clinux_memory_file(const char *name);

/* Nobody can change the file from here on, whoever holds it. */
int clinux_seal(int file);

/* Gives the room of bytes in the middle of a file back to the file system; they read as zeros then
   (fallocate(2), FALLOC_FL_PUNCH_HOLE). */
int clinux_punch_hole(int file, off_t start, off_t count);

/* Gives a file the content of another, whose blocks they share until one of them changes
   (ioctl_ficlonerange(2), FICLONE). */
int clinux_clone(int file, int source);

/* Gives a file a name that nothing has: EEXIST otherwise (renameat2(2), RENAME_NOREPLACE). */
int clinux_rename_new(const char *path, const char *target);

/* Brings all that was written to the file system of a file to its disk (syncfs(2)). */
int clinux_sync_filesystem(int file);

/* An attribute of a file (xattr(7)); reading follows no link, and gives the number of bytes. */
int clinux_set_attribute(int file, const char *name, const void *value, size_t count);
ssize_t clinux_attribute(const char *path, const char *name, void *value, size_t count);

/* When a file was made, which a copy of it does not share (statx(2)): whole seconds since 1970, and the rest in
   nanoseconds. */
int clinux_birth(const char *path, int64_t *seconds, int64_t *nanoseconds);

/* Both ends of a connection, which no other program inherits. */
int clinux_connected_pair(int pair[2]);

/* Sends bytes with a descriptor beside the first of them. No SIGPIPE. */
ssize_t clinux_send_descriptor(
  int socket, const void *bytes, size_t count, int descriptor);

/* Receives bytes, and the descriptor beside them, -1 when there is none. */
ssize_t clinux_receive_descriptor(
  int socket, void *bytes, size_t count, int *descriptor);

/* Closes every descriptor from `first` on in the program that is started; glibc 2.34. */
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
