#include "CSQLite.h"

#include <sqlite3.h>

void csqlite_configure(void)
{
  /* Nobody asks how much memory SQLite has: to count it takes a lock for every piece of it
   * (sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  /* Up to so many bytes of what a statement may have to take back are kept in memory, and in no temporary
   * file: as much as the rows of one statement touch in a large library (SQLITE_CONFIG_STMTJRNL_SPILL). */
  (void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, 16 << 20);
}
