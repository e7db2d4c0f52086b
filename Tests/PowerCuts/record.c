/* Records the operations of a program on the files below a folder, in order.

   Preload it (ld.so(8), LD_PRELOAD) with POWERCUTS_ROOT, the folder, and POWERCUTS_LOG, the file to which
   it appends. It holds one lock around each call and its record, so that the log has the order of the
   calls. recording.py describes the records.

   It ignores the shared index of a write-ahead log: SQLite rebuilds it when no connection has it open. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_FILES 4096

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int log_file = -1;
static char root[PATH_MAX];
static size_t root_length;
/* Which open files are recorded. */
static unsigned char is_ours[MAX_FILES];

static ssize_t (*next_write)(int, const void *, size_t);
static int (*next_stat)(const char *, struct stat *);

/* Returns the function that the caller replaces. */
static void *next(const char *name)
{
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "record: no function %s\n", name);
    abort();
  }
  return function;
}

#define NEXT(result, name, ...) \
  static result (*name##_next)(__VA_ARGS__); \
  if (!name##_next) name##_next = next(#name)

__attribute__((constructor)) static void start(void)
{
  const char *folder = getenv("POWERCUTS_ROOT"), *path = getenv("POWERCUTS_LOG");
  next_write = next("write");
  next_stat = next("stat");
  if (!folder || !path || !realpath(folder, root)) return;
  root_length = strlen(root);
  int (*open_next)(const char *, int, ...) = next("open");
  log_file = open_next(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

struct record {
  char kind;
  uint64_t file, folder, other_folder, offset, length, name_length;
} __attribute__((packed));

static void put(const void *bytes, size_t count)
{
  const char *rest = bytes;
  while (count > 0) {
    ssize_t written = next_write(log_file, rest, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) abort();
    rest += written;
    count -= (size_t)written;
  }
}

/* Appends a record. `data` has `record.length` bytes unless it is NULL. */
static void note(struct record record, const char *name, const void *data)
{
  int code = errno;
  record.name_length = name ? strlen(name) : 0;
  put(&record, sizeof record);
  if (record.name_length) put(name, record.name_length);
  if (data) put(data, record.length);
  errno = code;
}

static uint64_t inode(int file)
{
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

static uint64_t inode_at(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_ino : 0;
}

/* Splits a path into its folder and its name. Returns 0 if it is not to be recorded. */
static int split(const char *path, char parent[PATH_MAX], const char **name)
{
  if (log_file < 0 || !path || path[0] != '/' || strlen(path) >= PATH_MAX) return 0;
  const char *slash = strrchr(path, '/');
  size_t length = (size_t)(slash - path);
  memcpy(parent, path, length);
  parent[length] = 0;
  *name = slash + 1;
  char real[PATH_MAX];
  if (!realpath(length ? parent : "/", real)) return 0;
  if (strncmp(real, root, root_length) != 0) return 0;
  if (real[root_length] != 0 && real[root_length] != '/') return 0;
  strcpy(parent, real);
  size_t end = strlen(path);
  return end < 4 || strcmp(path + end - 4, "-shm") != 0;
}

static uint64_t folder_of(const char parent[PATH_MAX]) { return inode_at(parent); }

static int recorded(int file) { return file >= 0 && file < MAX_FILES && is_ours[file]; }

static int opened(int (*function)(const char *, int, ...), const char *path, int flags, mode_t mode)
{
  char parent[PATH_MAX];
  const char *name;
  if (!split(path, parent, &name)) return function(path, flags, mode);
  pthread_mutex_lock(&lock);
  int is_new = (flags & O_CREAT) && !inode_at(path);
  int file = function(path, flags, mode);
  if (file >= 0 && file < MAX_FILES) {
    is_ours[file] = 1;
    if (is_new) {
      note((struct record){'c', inode(file), folder_of(parent), 0, 0, 0, 0}, name, NULL);
    }
    if (flags & O_TRUNC) note((struct record){'t', inode(file), 0, 0, 0, 0, 0}, NULL, NULL);
  }
  pthread_mutex_unlock(&lock);
  return file;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) \
  { \
    NEXT(int, name, const char *, int, ...); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    return opened(name##_next, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name, plain) \
  int name(int folder, const char *path, int flags, ...) \
  { \
    NEXT(int, name, int, const char *, int, ...); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    if (path[0] == '/') return plain(path, flags, mode); \
    return name##_next(folder, path, flags, mode); \
  }
OPENAT(openat, open)
OPENAT(openat64, open64)

int close(int file)
{
  NEXT(int, close, int);
  if (recorded(file)) is_ours[file] = 0;
  return close_next(file);
}

static ssize_t noted(int file, const void *bytes, off_t offset, ssize_t count)
{
  if (count > 0) {
    note((struct record){'w', inode(file), 0, 0, (uint64_t)offset, (uint64_t)count, 0}, NULL, bytes);
  }
  return count;
}

ssize_t write(int file, const void *bytes, size_t count)
{
  NEXT(ssize_t, write, int, const void *, size_t);
  if (!recorded(file)) return write_next(file, bytes, count);
  pthread_mutex_lock(&lock);
  off_t offset = fcntl(file, F_GETFL) & O_APPEND ? lseek(file, 0, SEEK_END) : lseek(file, 0, SEEK_CUR);
  ssize_t written = noted(file, bytes, offset, write_next(file, bytes, count));
  pthread_mutex_unlock(&lock);
  return written;
}

#define PWRITE(name, type) \
  ssize_t name(int file, const void *bytes, size_t count, type offset) \
  { \
    NEXT(ssize_t, name, int, const void *, size_t, type); \
    if (!recorded(file)) return name##_next(file, bytes, count, offset); \
    pthread_mutex_lock(&lock); \
    ssize_t written = noted(file, bytes, offset, name##_next(file, bytes, count, offset)); \
    pthread_mutex_unlock(&lock); \
    return written; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* Writes each piece with a separate call, which is recorded. */
static ssize_t written_pieces(int file, const struct iovec *pieces, int count, off_t offset)
{
  ssize_t sum = 0;
  for (int index = 0; index < count; index++) {
    const struct iovec piece = pieces[index];
    ssize_t written = offset < 0 ? write(file, piece.iov_base, piece.iov_len)
                                 : pwrite(file, piece.iov_base, piece.iov_len, offset + sum);
    if (written < 0) return sum > 0 ? sum : written;
    sum += written;
    if ((size_t)written < piece.iov_len) break;
  }
  return sum;
}

ssize_t writev(int file, const struct iovec *pieces, int count)
{
  NEXT(ssize_t, writev, int, const struct iovec *, int);
  return recorded(file) ? written_pieces(file, pieces, count, -1) : writev_next(file, pieces, count);
}

#define PWRITEV(name, type) \
  ssize_t name(int file, const struct iovec *pieces, int count, type offset) \
  { \
    NEXT(ssize_t, name, int, const struct iovec *, int, type); \
    return recorded(file) ? written_pieces(file, pieces, count, offset) \
                          : name##_next(file, pieces, count, offset); \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

/* Fails like a kernel that cannot copy these files, so that the caller copies them with calls that are recorded. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags)
{
  NEXT(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned);
  if (!recorded(out)) return copy_file_range_next(in, from, out, to, count, flags);
  errno = EXDEV;
  return -1;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count)
{
  NEXT(ssize_t, sendfile, int, int, off_t *, size_t);
  if (!recorded(out)) return sendfile_next(out, in, offset, count);
  errno = EINVAL;
  return -1;
}

#define TRUNCATE(name, type) \
  int name(int file, type length) \
  { \
    NEXT(int, name, int, type); \
    if (!recorded(file)) return name##_next(file, length); \
    pthread_mutex_lock(&lock); \
    int result = name##_next(file, length); \
    if (result == 0) { \
      note((struct record){'t', inode(file), 0, 0, (uint64_t)length, 0, 0}, NULL, NULL); \
    } \
    pthread_mutex_unlock(&lock); \
    return result; \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define TRUNCATE_PATH(name, plain, type) \
  int name(const char *path, type length) \
  { \
    NEXT(int, name, const char *, type); \
    char parent[PATH_MAX]; \
    const char *end; \
    if (!split(path, parent, &end)) return name##_next(path, length); \
    int file = open(path, O_WRONLY | O_CLOEXEC); \
    if (file < 0) return -1; \
    int result = plain(file, length); \
    close(file); \
    return result; \
  }
TRUNCATE_PATH(truncate, ftruncate, off_t)
TRUNCATE_PATH(truncate64, ftruncate64, off64_t)

/* A call with a mode punches a hole into the file. Without a mode, it can only make the file longer. */
#define FALLOCATE(name, type) \
  int name(int file, int mode, type offset, type length) \
  { \
    NEXT(int, name, int, int, type, type); \
    if (!recorded(file)) return name##_next(file, mode, offset, length); \
    pthread_mutex_lock(&lock); \
    int result = name##_next(file, mode, offset, length); \
    if (result == 0) { \
      note((struct record){mode ? 'p' : 'e', inode(file), 0, 0, (uint64_t)offset, (uint64_t)length, 0}, \
           NULL, NULL); \
    } \
    pthread_mutex_unlock(&lock); \
    return result; \
  }
FALLOCATE(fallocate, off_t)
FALLOCATE(fallocate64, off64_t)

int fsetxattr(int file, const char *name, const void *value, size_t count, int flags)
{
  NEXT(int, fsetxattr, int, const char *, const void *, size_t, int);
  if (!recorded(file)) return fsetxattr_next(file, name, value, count, flags);
  pthread_mutex_lock(&lock);
  int result = fsetxattr_next(file, name, value, count, flags);
  if (result == 0) note((struct record){'a', inode(file), 0, 0, 0, count, 0}, name, value);
  pthread_mutex_unlock(&lock);
  return result;
}

#define SYNC(name) \
  int name(int file) \
  { \
    NEXT(int, name, int); \
    if (!recorded(file)) return name##_next(file); \
    pthread_mutex_lock(&lock); \
    int result = name##_next(file); \
    if (result == 0) note((struct record){'s', inode(file), 0, 0, 0, 0, 0}, NULL, NULL); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }
SYNC(fsync)
SYNC(fdatasync)

/* Flushes every file of the disk. */
int syncfs(int file)
{
  NEXT(int, syncfs, int);
  if (!recorded(file)) return syncfs_next(file);
  pthread_mutex_lock(&lock);
  int result = syncfs_next(file);
  if (result == 0) note((struct record){'y', 0, 0, 0, 0, 0, 0}, NULL, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

#define NAME(function, kind, ...) \
  NEXT(int, function, __VA_ARGS__); \
  char parent[PATH_MAX]; \
  const char *name

int mkdir(const char *path, mode_t mode)
{
  NAME(mkdir, 'm', const char *, mode_t);
  if (!split(path, parent, &name)) return mkdir_next(path, mode);
  pthread_mutex_lock(&lock);
  int result = mkdir_next(path, mode);
  if (result == 0) {
    note((struct record){'m', inode_at(path), folder_of(parent), 0, 0, 0, 0}, name, NULL);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

#define REMOVAL(function) \
  int function(const char *path) \
  { \
    NAME(function, 'u', const char *); \
    if (!split(path, parent, &name)) return function##_next(path); \
    pthread_mutex_lock(&lock); \
    uint64_t folder = folder_of(parent); \
    int result = function##_next(path); \
    if (result == 0) note((struct record){'u', 0, folder, 0, 0, 0, 0}, name, NULL); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }
REMOVAL(unlink)
REMOVAL(rmdir)
REMOVAL(remove)

/* Gives a file another name. `is_move` says whether this removes the old one. */
static int renamed(int (*function)(const char *, const char *), const char *path, const char *target,
                   int is_move)
{
  char parent[PATH_MAX], target_parent[PATH_MAX], names[2 * PATH_MAX];
  const char *name, *target_name;
  if (!split(path, parent, &name) || !split(target, target_parent, &target_name)) {
    return function(path, target);
  }
  pthread_mutex_lock(&lock);
  uint64_t folder = folder_of(parent), target_folder = folder_of(target_parent);
  int result = function(path, target);
  if (result == 0) {
    snprintf(names, sizeof names, "%s/%s", name, target_name);
    char kind = is_move ? 'r' : 'l';
    note((struct record){kind, inode_at(target), folder, target_folder, 0, 0, 0}, names, NULL);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *path, const char *target)
{
  NEXT(int, rename, const char *, const char *);
  return renamed(rename_next, path, target, 1);
}

static int rename_new(const char *path, const char *target)
{
  NEXT(int, renameat2, int, const char *, int, const char *, unsigned);
  return renameat2_next(AT_FDCWD, path, AT_FDCWD, target, RENAME_NOREPLACE);
}

int renameat2(int folder, const char *path, int target_folder, const char *target, unsigned flags)
{
  NEXT(int, renameat2, int, const char *, int, const char *, unsigned);
  if (folder != AT_FDCWD || target_folder != AT_FDCWD || flags != RENAME_NOREPLACE) {
    return renameat2_next(folder, path, target_folder, target, flags);
  }
  return renamed(rename_new, path, target, 1);
}

int link(const char *path, const char *target)
{
  NEXT(int, link, const char *, const char *);
  return renamed(link_next, path, target, 0);
}
