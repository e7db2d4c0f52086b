#ifndef GALLERY_CSQLITE_H
#define GALLERY_CSQLITE_H

/* Sets what SQLite takes before it is used for the first time in a process, and not later:
 * sqlite3_config is variadic, so it cannot be called from Swift. Nothing is lost where it comes too late,
 * but time. */
void csqlite_configure(void);

struct sqlite3;

/* Lets a connection wait for the locks of others, so many milliseconds at most. It looks every millisecond:
 * sqlite3_busy_timeout looks every 100 ms after a while, and so misses the short pauses of a long task. */
void csqlite_wait(struct sqlite3 *connection, int milliseconds);

#endif
