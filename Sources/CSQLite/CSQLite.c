#include "CSQLite.h"

#include <sqlite3.h>
#include <stdint.h>
#include <time.h>

void csqlite_configure(void)
{
  /* Nobody asks how much memory SQLite has: to count it takes a lock for every piece of it
   * (sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  /* What a statement may have to take back is kept in memory, and in no temporary file: that is the pages
   * of some rows, of 500 at most (SQLITE_CONFIG_STMTJRNL_SPILL). */
  (void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
}

/* sqlite.org/c3ref/busy_handler.html */
static int look_again(void *most, int looks)
{
  const struct timespec millisecond = {.tv_nsec = 1000000};
  return looks < (intptr_t)most && (nanosleep(&millisecond, NULL), 1);
}

void csqlite_wait(struct sqlite3 *connection, int milliseconds)
{
  (void)sqlite3_busy_handler(connection, look_again, (void *)(intptr_t)milliseconds);
}
