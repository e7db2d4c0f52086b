#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_set_no_new_privileges(void)
{
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int clinux_set_undumpable(void)
{
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int clinux_set_end_with_parent(void)
{
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

long clinux_landlock_version(void)
{
  return syscall(444, NULL, 0, 1);
}

long clinux_landlock_make(const struct clinux_landlock_rules *rules, size_t size)
{
  return syscall(444, rules, size, 0);
}

long clinux_landlock_enforce(int rules)
{
  return syscall(446, rules, 0);
}

long clinux_filter_system_calls(const struct sock_fprog *program)
{
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
}

uint32_t clinux_empty_path(void)
{
  return AT_EMPTY_PATH;
}

uint32_t clinux_audit_architecture(void)
{
#if defined(__x86_64__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#else
  return 0;
#endif
}

uint32_t clinux_thread_flags(void)
{
  return CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
}

void clinux_keep_heap_small(void)
{
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

void clinux_keep_freed_memory(void)
{
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

int clinux_processor_count(void)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int clinux_memory_file(const char *name)
{
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int clinux_seal(int file)
{
  return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

int clinux_punch_hole(int file, off_t start, off_t count)
{
  return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start, count);
}

int clinux_set_attribute(int file, const char *name, const void *value, size_t count)
{
  return fsetxattr(file, name, value, count, 0);
}

ssize_t clinux_attribute(const char *path, const char *name, void *value, size_t count)
{
  return lgetxattr(path, name, value, count);
}

int clinux_birth(const char *path, int64_t *seconds, int64_t *nanoseconds)
{
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0) return -1;
  if ((status.stx_mask & STATX_BTIME) == 0) {
    errno = ENOTSUP;
    return -1;
  }
  *seconds = status.stx_btime.tv_sec;
  *nanoseconds = status.stx_btime.tv_nsec;
  return 0;
}

const char *clinux_distant_file_system(int file)
{
  struct statfs status;
  if(fstatfs(file, &status) != 0) return NULL;
  /* From linux/magic.h and the sources of the drivers. */
  switch((uint32_t)status.f_type) {
  case 0x6969: return "NFS";
  case 0x517B: case 0xFF534D42: case 0xFE534D42: return "SMB";
  case 0x65735546: return "FUSE";
  case 0x01021997: return "9P";
  case 0x00C36400: return "Ceph";
  case 0x5346414F: case 0x6B414653: return "AFS";
  case 0x73757245: return "Coda";
  case 0x786F4256: return "vboxsf";
  case 0xBACBACBC: return "vmhgfs";
  case 0x01161970: return "GFS2";
  case 0x7461636F: return "OCFS2";
  case 0x0BD00BD0: return "Lustre";
  case 0x47504653: return "GPFS";
  default: return NULL;
  }
}

int clinux_open_cached(const char *path, int flags)
{
  struct { uint64_t flags, mode, resolve; } how = { (uint64_t)flags, 0, 0x20 };
  long file = syscall(437, AT_FDCWD, path, &how, sizeof how);
  /* Filters of containers refuse a call that they do not know. */
  if(file < 0 && (errno == ENOSYS || errno == EINVAL || errno == EPERM)) file = open(path, flags);
  return (int)file;
}

/* Old headers lack the structure and the number, which are the same on every architecture. */
int clinux_open_beneath(int folder, const char *path, int flags)
{
  struct { uint64_t flags, mode, resolve; } how = { (uint64_t)flags, 0, 0x04 | 0x08 };
  long file = syscall(437, folder, path, &how, sizeof how);
  /* Filters of containers refuse a call that they do not know. */
  if(file < 0 && errno == EPERM) errno = ENOSYS;
  return (int)file;
}

int clinux_connected_pair(int pair[2])
{
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
}

ssize_t clinux_send_descriptor(
  int socket, const void *bytes, size_t count, int descriptor)
{
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
  struct iovec part = { (void *)bytes, count };
  struct msghdr message;
  memset(&message, 0, sizeof message);
  memset(&control, 0, sizeof control);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive_descriptor(
  int socket, void *bytes, size_t count, int *descriptor)
{
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
  struct iovec part = { bytes, count };
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  *descriptor = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if(received < 0) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if(header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
    && header->cmsg_len == CMSG_LEN(sizeof(int)))
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  return received;
}

int clinux_close_from(posix_spawn_file_actions_t *actions, int first)
{
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static char **arguments;

/* glibc passes the arguments of main to constructors. */
__attribute__((constructor)) static void keep_arguments(int count, char **words)
{
  if(count > 0) arguments = words;
}

static void mask(char *start, const char *end)
{
  if(end > start) memset(start, '*', (size_t)(end - start));
}

void clinux_mask_passwords(void)
{
  for(char **word = arguments; word && *word; word++) {
    char *login = strstr(*word, "://");
    if(!login) continue;
    login += 3;
    /* A password may have any character, so the last "@" ends it. */
    char *end = strrchr(login, '@'), *colon = strchr(login, ':');
    if(end && colon && colon < end) mask(colon + 1, end);
    char *value = strstr(login, "password=");
    if(value) mask(value + 9, value + 9 + strcspn(value + 9, "&"));
  }
}

int clinux_clone(int file, int source) { return ioctl(file, FICLONE, source); }

int clinux_sync_filesystem(int file) { return syncfs(file); }

int clinux_rename_new(const char *path, const char *target)
{
  if(renameat2(AT_FDCWD, path, AT_FDCWD, target, RENAME_NOREPLACE) == 0) return 0;
  if(errno != EINVAL && errno != ENOSYS) return -1;
  /* Some file systems in user space do not support the flags of renameat2. */
  if(link(path, target) == 0) return unlink(path);
  if(errno == EEXIST) return -1;
  if(faccessat(AT_FDCWD, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(path, target);
}
