#include "CSQLite.h"

#include <sqlite3.h>

void csqlite_configure(void)
{
  /* Nobody asks how much memory SQLite has: to count it takes a lock for every piece of it
   * (sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  /* What a statement may have to take back is kept in memory, and in no temporary file: that is the pages
   * of some rows, of 500 at most (SQLITE_CONFIG_STMTJRNL_SPILL). */
  (void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
}
