/* What the C peers share: a library as gallery opens it, and the file that has all pictures. */
#ifndef COMMON_H
#define COMMON_H

#include <curl/curl.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Pictures of a transaction, room for the first bytes of one, and for an address. */
enum { BATCH = 64, FIRST_CAPACITY = 16 << 10, ADDRESS = 1000 };

static const char *program, *base, *folder, *certificate;

static void fail(const char *what)
{
  fprintf(stderr, "%s: %s\n", program, what);
  exit(1);
}

static void check_memory(const void *memory)
{
  if(!memory) fail("out of memory");
}

/* --- the library --- */

static void run(sqlite3 *database, const char *sql)
{
  if(sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sqlite3_errmsg(database));
}

static sqlite3 *opened(void)
{
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
    | SQLITE_OPEN_NOMUTEX;
  char path[ADDRESS];
  sqlite3 *database;
  snprintf(path, sizeof path, "%s/gallery.sqlite", folder);
  /* As gallery has it: to count memory takes a lock for every piece of it. */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if(sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail(sqlite3_errmsg(database));
  sqlite3_busy_timeout(database, 10000);
  run(database, "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;"
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000");
  return database;
}

/* Ends with everything checkpointed and on the disk. */
static void close_library(sqlite3 *database)
{
  run(database, "PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_close(database);
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql)
{
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
  if(code != SQLITE_OK) fail(sqlite3_errmsg(database));
  return statement;
}

static void run_once(sqlite3_stmt *statement)
{
  if(sqlite3_step(statement) != SQLITE_DONE) fail("a row cannot be stored");
  sqlite3_reset(statement);
}

/* --- the pictures --- */

struct picture {
  int id;
  char *bytes;
  size_t count, capacity;
  struct picture *next;
};

/* The file that has all pictures, and where the next one goes. */
static struct {
  int file;
  off_t end;
} pack;

static void open_pack(void)
{
  char path[ADDRESS];
  snprintf(path, sizeof path, "%s/1.pack", folder);
  pack.file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
  if(pack.file < 0) fail("the file for pictures cannot be made");
}

/* Tells where a picture is. */
static off_t put(const struct picture *picture)
{
  const off_t start = pack.end;
  if(pwrite(pack.file, picture->bytes, picture->count, start) != (ssize_t)picture->count)
    fail("a picture cannot be written");
  pack.end += (off_t)picture->count;
  return start;
}

static void sync_pack(void)
{
  if(fdatasync(pack.file)) fail("the pictures cannot be brought to the disk");
}

static void make_room(struct picture *picture)
{
  picture->capacity = FIRST_CAPACITY;
  check_memory(picture->bytes = malloc(picture->capacity));
}

/* Takes bytes of a body; what libcurl calls to write it (CURLOPT_WRITEFUNCTION). */
static size_t receive(char *bytes, size_t one, size_t count, void *user)
{
  struct picture *picture = user;
  count *= one;
  if(picture->count + count > picture->capacity) {
    picture->capacity = (picture->count + count) * 2;
    check_memory(picture->bytes = realloc(picture->bytes, picture->capacity));
  }
  memcpy(picture->bytes + picture->count, bytes, count);
  picture->count += count;
  return count;
}

/* --- the network --- */

static CURL *new_handle(void)
{
  CURL *easy = curl_easy_init();
  check_memory(easy);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  if(certificate) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, certificate);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  }
  return easy;
}

static CURLM *new_multi(int at_once)
{
  CURLM *multi = curl_multi_init();
  check_memory(multi);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, certificate ? 1L : (long)at_once);
  return multi;
}

#endif
