#ifndef GALLERY_CSQLITE_H
#define GALLERY_CSQLITE_H

#include <sqlite3.h>

/* Extended result codes, whose macros are expressions that Swift does not import. */
static const int CSQLITE_IOERR_WRITE = SQLITE_IOERR_WRITE;
static const int CSQLITE_IOERR_FSYNC = SQLITE_IOERR_FSYNC;
static const int CSQLITE_IOERR_DIR_FSYNC = SQLITE_IOERR_DIR_FSYNC;
static const int CSQLITE_IOERR_TRUNCATE = SQLITE_IOERR_TRUNCATE;
static const int CSQLITE_IOERR_SHMSIZE = SQLITE_IOERR_SHMSIZE;
static const int CSQLITE_READONLY_ROLLBACK = SQLITE_READONLY_ROLLBACK;

/* Sets options that SQLite accepts only before its first use in a process. It is in C because
 * sqlite3_config is variadic, so Swift cannot call it. A call that comes too late only costs speed. */
void csqlite_configure(void);

/* Makes a connection wait for other connections' locks, for at most some milliseconds. It checks every
 * millisecond. sqlite3_busy_timeout checks only every 100 ms after a while, and so misses the short pauses
 * of a long task. */
void csqlite_wait(sqlite3 *connection, int milliseconds);

/* Both copies of the header of the index of a write-ahead log (sqlite.org/walformat.html, section 2.2). */
typedef struct {
  unsigned long long words[12];
} csqlite_log_header;

/* Whether any process has committed since the header was read last; reads it again. Negative when the
 * connection has no index.
 *
 * The processes share the index in memory, and each commit changes its header before it returns. So this
 * takes 0.06 microseconds, and PRAGMA data_version takes 2. The connection must have read from a file in
 * WAL mode before: on any other file, this would make an index. */
int csqlite_log_changed(sqlite3 *connection, csqlite_log_header *header);

#endif
