#include "CSQLite.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

void csqlite_configure(void)
{
  /* The program does not use SQLite's memory statistics, which take a lock for every allocation
   * (sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  /* Keep the statement journal, which undoes a failed statement, in memory instead of a temporary file. It
   * holds the pages of 500 rows at most (SQLITE_CONFIG_STMTJRNL_SPILL). */
  (void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
}

/* Waits for a millisecond, and lets SQLite try again, at most `most` times (sqlite.org/c3ref/busy_handler.html). */
static int look_again(void *most, int looks)
{
  const struct timespec millisecond = {.tv_nsec = 1000000};
  return looks < (intptr_t)most && (nanosleep(&millisecond, NULL), 1);
}

void csqlite_wait(sqlite3 *connection, int milliseconds)
{
  (void)sqlite3_busy_handler(connection, look_again, (void *)(intptr_t)milliseconds);
}

struct csqlite_tokenizer
{
  fts5_tokenizer methods;
  Fts5Tokenizer *tokenizer;
};

/* A pointer to FTS5's functions, which SQLite gives out only by a statement (sqlite.org/fts5.html, section 7). */
static fts5_api *api(sqlite3 *connection)
{
  fts5_api *found = NULL;
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, NULL) == SQLITE_OK) {
    (void)sqlite3_bind_pointer(statement, 1, &found, "fts5_api_ptr", NULL);
    (void)sqlite3_step(statement);
  }
  (void)sqlite3_finalize(statement);
  return found;
}

csqlite_tokenizer *csqlite_openTokenizer(sqlite3 *connection)
{
  const char *arguments[] = {"remove_diacritics", "2"};
  void *data = NULL;
  fts5_api *functions = api(connection);
  csqlite_tokenizer *opened = calloc(1, sizeof *opened);
  if (opened && functions
      && functions->xFindTokenizer(functions, "unicode61", &data, &opened->methods) == SQLITE_OK
      && opened->methods.xCreate(data, arguments, 2, &opened->tokenizer) == SQLITE_OK)
    return opened;
  free(opened);
  return NULL;
}

int csqlite_tokenize(csqlite_tokenizer *tokenizer, const char *text, int bytes, void *context,
    int (*take)(void *context, int flags, const char *word, int bytes, int start, int end))
{
  return tokenizer->methods.xTokenize(
      tokenizer->tokenizer, context, FTS5_TOKENIZE_QUERY, text, bytes, take);
}

void csqlite_closeTokenizer(csqlite_tokenizer *tokenizer)
{
  tokenizer->methods.xDelete(tokenizer->tokenizer);
  free(tokenizer);
}
