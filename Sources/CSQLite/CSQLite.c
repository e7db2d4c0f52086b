#include "CSQLite.h"

#include <stddef.h>
#include <stdint.h>
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

int csqlite_log_changed(sqlite3 *connection, csqlite_log_header *header)
{
  /* The size of the first part of the index, by which SQLite maps it (WALINDEX_PGSZ). */
  enum { PART = 32768 };
  sqlite3_file *file = NULL;
  volatile void *index = NULL;
  (void)sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == NULL || file->pMethods == NULL || file->pMethods->iVersion < 2) return -1;
  if (file->pMethods->xShmMap == NULL) return -1;
  /* The connection has mapped the part already, so this finds it, and does not extend the file. */
  if (file->pMethods->xShmMap(file, 0, PART, 0, &index) != SQLITE_OK || index == NULL) return -1;
  const volatile unsigned long long *words = index;
  int is_changed = 0;
  for (int word = 0; word < 12; word++) {
    const unsigned long long now = words[word];
    is_changed |= now != header->words[word];
    header->words[word] = now;
  }
  return is_changed;
}
