#ifndef GALLERY_CSQLITE_H
#define GALLERY_CSQLITE_H

/* Sets what SQLite takes before it is used for the first time in a process, and not later:
 * sqlite3_config is variadic, so it cannot be called from Swift. Nothing is lost where it comes too late,
 * but time. */
void csqlite_configure(void);

#endif
