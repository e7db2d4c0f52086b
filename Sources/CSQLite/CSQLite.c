#include "CSQLite.h"

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
