/* What libcurl and SQLite take by themselves: fetches BASE/thumbnails/1.jpg to N.jpg and stores them.
 *
 *     fetch_and_store [-t CERTIFICATE] BASE COUNT FOLDER CONNECTIONS
 *
 * Over as many connections, or over streams of one with a CERTIFICATE to trust; one behind the other into
 * a file, and where they are into a table of a new library, with the same pages, log and
 * synchronisation as gallery's: bytes are on the disk before a row names them, and everything is
 * checkpointed and on the disk at the end. There is no feed, no look at what came, no sum of it, and
 * nothing is tried again: it is the least that a program with these two libraries can do. */
#include "common.h"

/* Pictures on their way from the thread that fetches to the one that stores. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct picture *first, **last;
  int count, is_ended;
} line = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &line.first, 0, 0};

/* --- storing --- */

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

static void store(sqlite3_stmt *insertion, struct picture *picture)
{
  sqlite3_bind_int(insertion, 1, picture->id);
  sqlite3_bind_int64(insertion, 2, put(picture));
  sqlite3_bind_int64(insertion, 3, (sqlite3_int64)picture->count);
  run_once(insertion);
  free(picture->bytes);
  free(picture);
}

static void *store_all(void *unused)
{
  sqlite3 *database = opened();
  sqlite3_stmt *insertion;
  struct picture *batch, *next;
  open_pack();
  run(database, "CREATE TABLE thumbnail (image_id INTEGER PRIMARY KEY, offset INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL) STRICT");
  insertion = prepared(database, "INSERT INTO thumbnail VALUES (?1, ?2, ?3)");
  while((batch = next_batch())) {
    run(database, "BEGIN IMMEDIATE");
    for(; batch; batch = next) {
      next = batch->next;
      store(insertion, batch);
    }
    sync_pack();
    run(database, "COMMIT");
  }
  sqlite3_finalize(insertion);
  close_library(database);
  return unused;
}

/* --- fetching --- */

static void ask(CURLM *multi, CURL *easy, int id)
{
  char address[ADDRESS];
  struct picture *picture = calloc(1, sizeof *picture);
  check_memory(picture);
  picture->id = id;
  make_room(picture);
  snprintf(address, sizeof address, "%sthumbnails/%d.jpg", base, id);
  curl_easy_setopt(easy, CURLOPT_URL, address);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, picture);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, picture);
  curl_multi_add_handle(multi, easy);
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
  CURLM *multi = new_multi(at_once);
  CURLMsg *message;
  int asked = 0, ended = 0, running, left;
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
  program = "fetch_and_store";
  while((option = getopt(count, arguments, "t:")) != -1) {
    if(option == 't') certificate = optarg;
    else count = 0;
  }
  if(count - optind != 4) fail("usage: fetch_and_store [-t CERTIFICATE] BASE COUNT FOLDER CONNECTIONS");
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
