/* What libcurl and SQLite take by themselves to find that nothing is new: asks for the documents of all
 * feeds of a library, with the tags that are stored, and notes that they have not changed.
 *
 *     ask_and_note LIBRARY CONNECTIONS
 *
 * A transaction for each feed, and everything checkpointed and on the disk at the end, as with gallery.
 * No feed is locked, nothing is looked after, and nothing is tried again. */
#include <curl/curl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 2000 };

struct feed {
  sqlite3_int64 id;
  char address[TEXT], condition[TEXT];
  struct curl_slist *fields;
};

static void fail(const char *what)
{
  fprintf(stderr, "ask_and_note: %s\n", what);
  exit(1);
}

static void run(sqlite3 *database, const char *sql)
{
  if(sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sqlite3_errmsg(database));
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql)
{
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
  if(code != SQLITE_OK) fail(sqlite3_errmsg(database));
  return statement;
}

static sqlite3 *opened(const char *library)
{
  char path[TEXT];
  sqlite3 *database;
  snprintf(path, sizeof path, "%s/gallery.sqlite", library);
  /* As gallery has it: to count memory takes a lock for every piece of it. */
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if(sqlite3_open(path, &database) != SQLITE_OK) fail(sqlite3_errmsg(database));
  run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  return database;
}

static struct feed *next_feed(sqlite3_stmt *feeds)
{
  struct feed *feed;
  if(sqlite3_step(feeds) != SQLITE_ROW) return NULL;
  feed = calloc(1, sizeof *feed);
  if(!feed) fail("out of memory");
  feed->id = sqlite3_column_int64(feeds, 0);
  snprintf(feed->address, TEXT, "%s", (const char *)sqlite3_column_text(feeds, 1));
  snprintf(feed->condition, TEXT, "If-None-Match: %s", (const char *)sqlite3_column_text(feeds, 2));
  feed->fields = curl_slist_append(NULL, feed->condition);
  return feed;
}

static void ask(CURLM *multi, struct feed *feed)
{
  CURL *easy = curl_easy_init();
  if(!easy) fail("out of memory");
  curl_easy_setopt(easy, CURLOPT_URL, feed->address);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, feed->fields);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, feed);
  curl_multi_add_handle(multi, easy);
}

static void note(sqlite3 *database, sqlite3_stmt *update, CURL *easy)
{
  struct feed *feed;
  long status;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &feed);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  if(status != 304) fail("something is new");
  run(database, "BEGIN IMMEDIATE");
  sqlite3_bind_int64(update, 1, time(NULL));
  sqlite3_bind_int64(update, 2, feed->id);
  if(sqlite3_step(update) != SQLITE_DONE) fail("a feed cannot be noted");
  sqlite3_reset(update);
  run(database, "COMMIT");
  curl_slist_free_all(feed->fields);
  free(feed);
}

static void note_all(CURLM *multi, sqlite3 *database, int count)
{
  sqlite3_stmt *update = prepared(database, "UPDATE feed SET synced_at = ?1 WHERE id = ?2");
  CURLMsg *message;
  int running, left;
  while(count > 0) {
    int before = count;
    curl_multi_perform(multi, &running);
    while((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      if(message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
      note(database, update, easy);
      curl_multi_remove_handle(multi, easy);
      curl_easy_cleanup(easy);
      count--;
    }
    /* One that has ended makes room for the next, which begins in another round. */
    if(count == before) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  sqlite3_finalize(update);
}

int main(int count, char **arguments)
{
  struct feed *feed;
  int asked = 0;
  if(count != 3) fail("usage: ask_and_note LIBRARY CONNECTIONS");
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, atol(arguments[2]));
  sqlite3 *database = opened(arguments[1]);
  sqlite3_stmt *feeds = prepared(database, "SELECT id, address, etag FROM feed");
  while((feed = next_feed(feeds))) {
    ask(multi, feed);
    asked++;
  }
  sqlite3_finalize(feeds);
  note_all(multi, database, asked);
  run(database, "PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_close(database);
  curl_multi_cleanup(multi);
  return 0;
}
