/* What libcurl and SQLite take by themselves: fetches BASE/thumbnails/1.jpg to N.jpg and stores them.
 *
 *     fetch_and_store [-i LIBRARY] [-t CERTIFICATE] BASE COUNT FOLDER CONNECTIONS
 *
 * Over as many connections, or over streams of one with a CERTIFICATE to trust; one behind the other into
 * a file, and where they are into a table of a new library, with the same pages, log and
 * synchronisation as gallery's: bytes are on the disk before a row names them, and everything is
 * checkpointed and on the disk at the end. There is no feed, no look at what came, no sum of it, and
 * nothing is tried again: it is the least that a program with these two libraries can do.
 *
 * With a LIBRARY that gallery has filled from the same feed, the new one gets its tables, indexes and
 * search, too: the rows of the images are copied, in one transaction, and each picture is
 * noted in its row. It is the least that a program can do that is to store the same. */
#include <curl/curl.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, FIRST_CAPACITY = 16 << 10, ADDRESS = 1000 };

struct picture {
  int id;
  char *bytes;
  size_t count, capacity;
  struct picture *next;
};

/* Pictures on their way from the thread that fetches to the one that stores. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct picture *first, **last;
  int count, is_ended;
} line = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &line.first, 0, 0};

static const char *base, *folder, *certificate, *library;

static void fail(const char *what)
{
  fprintf(stderr, "fetch_and_store: %s\n", what);
  exit(1);
}

static void check_memory(const void *memory)
{
  if(!memory) fail("out of memory");
}

/* --- storing --- */

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
  return database;
}

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

/* Takes what has come once it is a batch, and at the end what is left; NULL behind that. */
static struct picture *next_batch(void)
{
  struct picture *batch;
  pthread_mutex_lock(&line.lock);
  while(line.count < BATCH && !line.is_ended) pthread_cond_wait(&line.changed, &line.lock);
  batch = line.first;
  line.first = NULL;
  line.last = &line.first;
  line.count = 0;
  pthread_mutex_unlock(&line.lock);
  return batch;
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
  if(sqlite3_step(statement) != SQLITE_DONE) fail("a picture cannot be stored");
  sqlite3_reset(statement);
}

/* All but the tables that SQLite makes by itself, for itself and for the search. */
static const char schema[] = "SELECT sql FROM old.sqlite_schema WHERE sql IS NOT NULL"
  " AND name NOT LIKE 'sqlite^_%' ESCAPE '^' AND name NOT LIKE 'image^_search^_%' ESCAPE '^'"
  " ORDER BY rowid";

#define COLUMNS "id, feed_id, place, date, published_at, first_seen_at, width, height," \
  " is_entry_ambiguous, entry_hash, original_hash, thumbnail_hash, entry_id, original_address," \
  " thumbnail_address, page_address, title, title_key, author, licence, caption"

/* The images wait for their pictures: 2 is ThumbnailState.wanted. */
static const char rows[] = "BEGIN IMMEDIATE; INSERT INTO feed SELECT * FROM old.feed;"
  "INSERT INTO image (" COLUMNS ", thumbnail_state) SELECT " COLUMNS ", 2 FROM old.image;"
  "INSERT INTO image_search(rowid, title, caption, author, feed) SELECT * FROM image_text; COMMIT";

static void copy_images(sqlite3 *database)
{
  char attachment[ADDRESS];
  sqlite3_stmt *parts;
  snprintf(attachment, sizeof attachment,
    "ATTACH 'file:%s/gallery.sqlite?immutable=1' AS old", library);
  run(database, attachment);
  parts = prepared(database, schema);
  while(sqlite3_step(parts) == SQLITE_ROW)
    run(database, (const char *)sqlite3_column_text(parts, 0));
  sqlite3_finalize(parts);
  run(database, rows);
}

static const char plain_table[] =
  "CREATE TABLE thumbnail (image_id INTEGER PRIMARY KEY, position INTEGER NOT NULL,"
  " bytes INTEGER NOT NULL) STRICT";
static const char plain_insertion[] = "INSERT INTO thumbnail VALUES (?1, ?2, ?3)";
static const char insertion_beside_image[] =
  "INSERT INTO thumbnail (image_id, pack_id, position, bytes, address, fetched_at, data)"
  " VALUES (?1, 1, ?2, ?3, ?4, ?5, x'')";
static const char note_in_image[] =
  "UPDATE image SET thumbnail_format = 'jpeg', thumbnail_bytes = ?2, thumbnail_width = 160,"
  " thumbnail_height = 120, thumbnail_check_at = ?3, thumbnail_state = 1 WHERE id = ?1";

static void store(sqlite3_stmt *insertion, sqlite3_stmt *note, struct picture *picture)
{
  sqlite3_bind_int(insertion, 1, picture->id);
  sqlite3_bind_int64(insertion, 2, put(picture));
  sqlite3_bind_int64(insertion, 3, (sqlite3_int64)picture->count);
  if(note) {
    char address[ADDRESS];
    snprintf(address, sizeof address, "%sthumbnails/%d.jpg", base, picture->id);
    sqlite3_bind_text(insertion, 4, address, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insertion, 5, time(NULL));
    sqlite3_bind_int(note, 1, picture->id);
    sqlite3_bind_int64(note, 2, (sqlite3_int64)picture->count);
    sqlite3_bind_int64(note, 3, time(NULL) + 86400);
    run_once(note);
  }
  run_once(insertion);
  free(picture->bytes);
  free(picture);
}

static void *store_all(void *unused)
{
  sqlite3 *database = opened();
  sqlite3_stmt *insertion, *note = NULL;
  struct picture *batch, *next;
  open_pack();
  run(database, "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;"
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000");
  if(library) copy_images(database);
  else run(database, plain_table);
  insertion = prepared(database, library ? insertion_beside_image : plain_insertion);
  if(library) note = prepared(database, note_in_image);
  while((batch = next_batch())) {
    run(database, "BEGIN IMMEDIATE");
    for(; batch; batch = next) {
      next = batch->next;
      store(insertion, note, batch);
    }
    if(fdatasync(pack.file)) fail("the pictures cannot be brought to the disk");
    run(database, "COMMIT");
  }
  run(database, "PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_finalize(insertion);
  sqlite3_finalize(note);
  sqlite3_close(database);
  return unused;
}

/* --- fetching --- */

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

static void ask(CURLM *multi, CURL *easy, int id)
{
  char address[ADDRESS];
  struct picture *picture = calloc(1, sizeof *picture);
  check_memory(picture);
  picture->id = id;
  picture->capacity = FIRST_CAPACITY;
  check_memory(picture->bytes = malloc(picture->capacity));
  snprintf(address, sizeof address, "%sthumbnails/%d.jpg", base, id);
  curl_easy_setopt(easy, CURLOPT_URL, address);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, picture);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, picture);
  curl_multi_add_handle(multi, easy);
}

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

static void hand_over(CURL *easy)
{
  struct picture *picture;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &picture);
  pthread_mutex_lock(&line.lock);
  *line.last = picture;
  line.last = &picture->next;
  if(++line.count == BATCH) pthread_cond_signal(&line.changed);
  pthread_mutex_unlock(&line.lock);
}

static void fetch_all(int count, int at_once)
{
  CURLM *multi = curl_multi_init();
  CURLMsg *message;
  int asked = 0, ended = 0, running, left;
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, certificate ? 1L : (long)at_once);
  while(asked < at_once && asked < count) ask(multi, new_handle(), ++asked);
  while(ended < count) {
    curl_multi_perform(multi, &running);
    while((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      if(message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
      hand_over(easy);
      curl_multi_remove_handle(multi, easy);
      ended++;
      if(asked < count) ask(multi, easy, ++asked);
      else curl_easy_cleanup(easy);
    }
    if(ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  curl_multi_cleanup(multi);
}

int main(int count, char **arguments)
{
  pthread_t storing;
  int option;
  while((option = getopt(count, arguments, "i:t:")) != -1) {
    if(option == 'i') library = optarg;
    else if(option == 't') certificate = optarg;
    else count = 0;
  }
  if(count - optind != 4)
    fail("usage: fetch_and_store [-i LIBRARY] [-t CERTIFICATE] BASE COUNT FOLDER CONNECTIONS");
  arguments += optind;
  base = arguments[0];
  folder = arguments[2];
  curl_global_init(CURL_GLOBAL_ALL);
  pthread_create(&storing, NULL, store_all, NULL);
  fetch_all(atoi(arguments[1]), atoi(arguments[3]));
  pthread_mutex_lock(&line.lock);
  line.is_ended = 1;
  pthread_cond_signal(&line.changed);
  pthread_mutex_unlock(&line.lock);
  pthread_join(storing, NULL);
  return 0;
}
