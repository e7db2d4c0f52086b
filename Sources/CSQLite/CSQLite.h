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

#endif
