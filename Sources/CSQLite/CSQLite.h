#ifndef GALLERY_CSQLITE_H
#define GALLERY_CSQLITE_H

#include <sqlite3.h>

/* Sets options that SQLite accepts only before its first use in a process. It is in C because
 * sqlite3_config is variadic, so Swift cannot call it. A call that comes too late only costs speed. */
void csqlite_configure(void);

/* Makes a connection wait for other connections' locks, for at most some milliseconds. It checks every
 * millisecond. sqlite3_busy_timeout checks only every 100 ms after a while, and so misses the short pauses
 * of a long task. */
void csqlite_wait(sqlite3 *connection, int milliseconds);

/* The tokenizer of the full-text index (sqlite.org/fts5.html, section 7.1). */
typedef struct csqlite_tokenizer csqlite_tokenizer;

/* Returns NULL when SQLite has no such tokenizer, or no memory is left. */
csqlite_tokenizer *csqlite_openTokenizer(sqlite3 *connection);

/* Calls `take` with each word of a text, folded, as FTS5 splits the words of a search. */
int csqlite_tokenize(csqlite_tokenizer *tokenizer, const char *text, int bytes, void *context,
    int (*take)(void *context, int flags, const char *word, int bytes, int start, int end));

void csqlite_closeTokenizer(csqlite_tokenizer *tokenizer);

#endif
