/* What a sync takes that does all of gallery's work for one feed, and nothing for any other.
 *
 *     sync_feed [-t CERTIFICATE] LIBRARY BASE FOLDER CONNECTIONS
 *
 * Reads BASE/feed.xml with libxml2, stores its images as rows, and fetches their thumbnails with libcurl
 * while it reads, with gallery's request fields, over as many connections, or over streams of one with a
 * CERTIFICATE to trust. Each picture is looked at and summed up, put behind the others in a file, and noted
 * with its validators once it is on the disk. The tables, indexes and search are those of LIBRARY, which
 * gallery has filled from the same feed, and so are the rows that it ends with.
 *
 * It knows the elements and the forms that this one feed has, asks nobody for permission, and any error ends
 * it: it is the least that we know how to do to end with the same rows. */
#include "common.h"

#include <ctype.h>
#include <libxml/parser.h>
#include <stdint.h>
#include <strings.h>

enum { ROWS_AT_ONCE = 64, FIRST_ROWS = 50, MOST_ROWS = 500, PLACE = 1 << 20, TEXT = 1000, FIELD = 80 };

struct image {
  int id, width, height;
  char *title, *guid, *author, *original, *thumbnail;
  sqlite3_int64 published;
  struct image *next_row, *next_wanted;
};

/* A picture on its way, with what its response says of it. */
struct arrival {
  struct picture picture;
  const struct image *image;
  char etag[FIELD], modified[FIELD];
  struct arrival *next;
};

/* Images on their way from the thread that reads to those that store and fetch, and pictures from the one
   that fetches to the one that stores. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct image *rows, **last_row, *wanted, **last_wanted;
  struct arrival *arrivals, **last_arrival;
  int row_count, arrival_count, is_read, is_fetched;
} line = {
  PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &line.rows, NULL, &line.wanted,
  NULL, &line.arrivals, 0, 0, 0, 0,
};

static const char *library;
static time_t now;
static CURLM *multi;

/* --- reading --- */

static struct image *image;
static char text[TEXT];
static size_t text_count;
static int images_read, enough = FIRST_ROWS;

static char *copied(const char *start, size_t count)
{
  char *copy = malloc(count + 1);
  check_memory(copy);
  memcpy(copy, start, count);
  copy[count] = 0;
  return copy;
}

static char *resolved(const char *start, size_t count)
{
  char address[ADDRESS];
  int length = snprintf(address, sizeof address, "%s%.*s", base, (int)count, start);
  return copied(address, (size_t)length);
}

static int is(const xmlChar *name, const char *expected)
{
  return !strcmp((const char *)name, expected);
}

/* Five pointers an attribute: name, prefix, namespace, begin and end of the value. */
static void open_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
  int spaces, const xmlChar **declared, int count, int defaults, const xmlChar **attributes)
{
  (void)user, (void)space, (void)spaces, (void)declared, (void)defaults;
  text_count = 0;
  if(!prefix && is(name, "item")) check_memory(image = calloc(1, sizeof *image));
  if(!image || !prefix) return;
  for(int index = 0; index < count; index++) {
    const char *start = (const char *)attributes[5 * index + 3];
    const size_t length = (size_t)((const char *)attributes[5 * index + 4] - start);
    const xmlChar *attribute = attributes[5 * index];
    if(is(attribute, "width")) image->width = atoi(start);
    else if(is(attribute, "height")) image->height = atoi(start);
    else if(is(attribute, "url") && is(name, "content")) image->original = resolved(start, length);
    else if(is(attribute, "url")) image->thumbnail = resolved(start, length);
  }
}

static void take_text(void *user, const xmlChar *start, int count)
{
  (void)user;
  if(text_count + (size_t)count >= sizeof text) fail("a text is too long");
  memcpy(text + text_count, start, (size_t)count);
  text_count += (size_t)count;
}

/* Whoever stores begins with few images, as gallery does, so that their thumbnails come early. */
static void hand_over_image(void)
{
  int was_empty;
  image->id = ++images_read;
  pthread_mutex_lock(&line.lock);
  *line.last_row = image;
  line.last_row = &image->next_row;
  was_empty = !line.wanted;
  *line.last_wanted = image;
  line.last_wanted = &image->next_wanted;
  if(++line.row_count >= enough) pthread_cond_signal(&line.changed);
  if(images_read > enough) enough = MOST_ROWS;
  pthread_mutex_unlock(&line.lock);
  if(was_empty) curl_multi_wakeup(multi);
  image = NULL;
}

static void close_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
  (void)user, (void)space;
  if(!image) return;
  text[text_count] = 0;
  if(prefix) {
    if(is(name, "credit")) image->author = copied(text, text_count);
  } else if(is(name, "title")) image->title = copied(text, text_count);
  else if(is(name, "guid")) image->guid = copied(text, text_count);
  else if(is(name, "pubDate")) image->published = curl_getdate(text, NULL);
  else if(is(name, "item")) hand_over_image();
}

static size_t parse(char *bytes, size_t one, size_t count, void *parser)
{
  count *= one;
  return xmlParseChunk(parser, bytes, (int)count, 0) ? 0 : count;
}

static void *read_feed(void *unused)
{
  xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = open_element,
    .endElementNs = close_element, .characters = take_text};
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
  CURL *easy = new_handle();
  char address[ADDRESS];
  check_memory(parser);
  snprintf(address, sizeof address, "%sfeed.xml", base);
  curl_easy_setopt(easy, CURLOPT_URL, address);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, parse);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, parser);
  if(curl_easy_perform(easy) != CURLE_OK || xmlParseChunk(parser, NULL, 0, 1))
    fail("the feed cannot be read");
  curl_easy_cleanup(easy);
  xmlFreeParserCtxt(parser);
  pthread_mutex_lock(&line.lock);
  line.is_read = 1;
  pthread_cond_signal(&line.changed);
  pthread_mutex_unlock(&line.lock);
  curl_multi_wakeup(multi);
  return unused;
}

/* --- storing --- */

/* All but the tables that SQLite makes by itself, for itself and for the searches. */
static const char schema[] = "SELECT sql FROM old.sqlite_schema WHERE sql IS NOT NULL"
  " AND name NOT LIKE 'sqlite^_%' ESCAPE '^'"
  " AND (name NOT LIKE 'image^_search^_%' ESCAPE '^' OR sql LIKE 'CREATE VIRTUAL %')"
  " ORDER BY rowid";

static void make_tables(sqlite3 *database)
{
  char attachment[ADDRESS];
  sqlite3_stmt *parts;
  snprintf(attachment, sizeof attachment,
    "ATTACH 'file:%s/gallery.sqlite?immutable=1' AS old", library);
  run(database, attachment);
  run(database, "BEGIN IMMEDIATE");
  parts = prepared(database, schema);
  while(sqlite3_step(parts) == SQLITE_ROW)
    run(database, (const char *)sqlite3_column_text(parts, 0));
  sqlite3_finalize(parts);
  run(database, "INSERT INTO feed SELECT * FROM old.feed; INSERT INTO pack SELECT * FROM old.pack; COMMIT");
  run(database, "DETACH old");
}

/* FNV-1a, as StableHash has it. */
static sqlite3_int64 hash(const char *first, const char *rest)
{
  uint64_t sum = 0xcbf29ce484222325;
  for(; *first; first++) sum = (sum ^ (uint8_t)*first) * 0x100000001b3;
  for(; *rest; rest++) sum = (sum ^ (uint8_t)*rest) * 0x100000001b3;
  return (sqlite3_int64)sum;
}

/* http and https are one. */
static sqlite3_int64 address_hash(const char *address)
{
  return hash("https", strchr(address, ':'));
}

static void add(uint64_t word, uint64_t *sum)
{
  *sum = (*sum ^ word) * 0x100000001b3;
  *sum ^= *sum >> 32;
}

/* As RowChecksum has it: with nothing for what has no value. */
static const uint64_t nothing = 0xFFFF6E6F74686967;

static void add_text(const char *value, uint64_t *sum)
{
  const size_t length = strlen(value);
  size_t at = 0;
  uint64_t word;
  for(; at + sizeof word <= length; at += sizeof word) {
    memcpy(&word, value + at, sizeof word);
    add(word, sum);
  }
  word = (uint64_t)length << 56;
  for(size_t index = 0; at + index < length; index++)
    word |= (uint64_t)(uint8_t)value[at + index] << 8 * index;
  add(word, sum);
}

static int row_checksum(const struct image *row, sqlite3_int64 guid_hash, sqlite3_int64 original_hash)
{
  uint64_t sum = 0xcbf29ce484222325;
  add((uint64_t)row->id, &sum);
  add(1, &sum);
  add_text(row->guid, &sum);
  add((uint64_t)guid_hash, &sum);
  add_text(row->original, &sum);
  add((uint64_t)original_hash, &sum);
  add_text(row->thumbnail, &sum);
  for(int count = 0; count < 3; count++) add(nothing, &sum);
  return (int)(uint32_t)sum;
}

#define COLUMNS "id, feed_id, position, date, published_at, first_seen_at, width, height, thumbnail_state," \
  " is_entry_ambiguous, entry_hash, original_hash, entry_id, original_address, thumbnail_address, title," \
  " title_key, author, shape, row_checksum"
/* The pictures are wanted: ThumbnailState. */
#define ROW "(?, 1, ?, ?, ?, ?, ?, ?, 2, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

static sqlite3_stmt *row_insertion(sqlite3 *database, int rows)
{
  char sql[sizeof COLUMNS + 100 + ROWS_AT_ONCE * (sizeof ROW + 2)];
  int length = snprintf(sql, sizeof sql, "INSERT INTO image (" COLUMNS ") VALUES " ROW);
  while(--rows) length += snprintf(sql + length, sizeof sql - (size_t)length, ", " ROW);
  return prepared(database, sql);
}

static void bind_text(sqlite3_stmt *statement, int *place, const char *value)
{
  sqlite3_bind_text(statement, ++*place, value, -1, SQLITE_STATIC);
}

static void bind_row(sqlite3_stmt *insertion, int *place, const struct image *row)
{
  const sqlite3_int64 guid_hash = hash("", row->guid), original_hash = address_hash(row->original);
  char key[TEXT];
  size_t length = 0;
  for(; row->title[length]; length++) key[length] = (char)tolower((unsigned char)row->title[length]);
  sqlite3_bind_int(insertion, ++*place, row->id);
  sqlite3_bind_int64(insertion, ++*place, (sqlite3_int64)row->id * PLACE);
  sqlite3_bind_int64(insertion, ++*place, row->published < now ? row->published : now);
  sqlite3_bind_int64(insertion, ++*place, row->published);
  sqlite3_bind_int64(insertion, ++*place, now);
  sqlite3_bind_int(insertion, ++*place, row->width);
  sqlite3_bind_int(insertion, ++*place, row->height);
  sqlite3_bind_int64(insertion, ++*place, guid_hash);
  sqlite3_bind_int64(insertion, ++*place, original_hash);
  bind_text(insertion, place, row->guid);
  bind_text(insertion, place, row->original);
  bind_text(insertion, place, row->thumbnail);
  bind_text(insertion, place, row->title);
  sqlite3_bind_text(insertion, ++*place, key, (int)length, SQLITE_TRANSIENT);
  bind_text(insertion, place, row->author);
  sqlite3_bind_int(insertion, ++*place, (row->width > row->height) - (row->width < row->height));
  sqlite3_bind_int(insertion, ++*place, row_checksum(row, guid_hash, original_hash));
}

/* The rows come before the words: a statement of many rows has the index of words write what it has. */
static void store_rows(sqlite3_stmt *many, sqlite3_stmt *one, sqlite3_stmt *words, struct image *rows,
  int count)
{
  const struct image *row = rows;
  while(count) {
    const int length = count >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
    int place = 0;
    for(int index = 0; index < length; index++, row = row->next_row)
      bind_row(length == 1 ? one : many, &place, row);
    run_once(length == 1 ? one : many);
    count -= length;
  }
  for(row = rows; row; row = row->next_row) {
    int place = 1;
    sqlite3_bind_int(words, 1, row->id);
    bind_text(words, &place, row->title);
    bind_text(words, &place, row->author);
    run_once(words);
  }
}

/* The size that a JPEG's frame header has; ends the program for what is no whole JPEG. */
static void look_at(const struct picture *picture, int *width, int *height)
{
  const uint8_t *bytes = (const uint8_t *)picture->bytes;
  const size_t count = picture->count;
  size_t at = 2;
  if(count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8 || bytes[count - 2] != 0xFF
    || bytes[count - 1] != 0xD9)
    fail("a picture is none, or not whole");
  while(at + 9 < count && bytes[at] == 0xFF) {
    const uint8_t kind = bytes[at + 1];
    if(kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC) {
      *height = bytes[at + 5] << 8 | bytes[at + 6];
      *width = bytes[at + 7] << 8 | bytes[at + 8];
      return;
    }
    at += 2 + (size_t)(bytes[at + 2] << 8 | bytes[at + 3]);
  }
  fail("a picture has no size");
}

/* As PictureChecksum has it. */
static sqlite3_int64 checksum(const struct picture *picture)
{
  const uint64_t seed = 0xcbf29ce484222325;
  uint64_t parts[4] = {seed, seed, seed, seed}, words[4], sum = seed ^ picture->count;
  size_t at = 0;
  for(; at + sizeof words <= picture->count; at += sizeof words) {
    memcpy(words, picture->bytes + at, sizeof words);
    for(int part = 0; part < 4; part++) add(words[part], &parts[part]);
  }
  for(int part = 0; part < 4; part++) add(parts[part], &sum);
  for(; at < picture->count; at++) add((uint8_t)picture->bytes[at], &sum);
  return (sqlite3_int64)sum;
}

static const char insertion_sql[] =
  "INSERT INTO thumbnail (image_id, address, etag, last_modified, fetched_at, pack_id, offset, bytes,"
  " checksum) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)";
static const char note_sql[] =
  "UPDATE image SET thumbnail_format = 'jpeg', thumbnail_bytes = ?2, thumbnail_width = ?3,"
  " thumbnail_height = ?4, thumbnail_check_at = ?5, thumbnail_state = 1 WHERE id = ?1";

static void store_picture(sqlite3_stmt *insertion, sqlite3_stmt *note, struct arrival *arrival)
{
  const struct picture *picture = &arrival->picture;
  int width = 0, height = 0, place = 1;
  look_at(picture, &width, &height);
  sqlite3_bind_int(note, 1, picture->id);
  sqlite3_bind_int64(note, 2, (sqlite3_int64)picture->count);
  sqlite3_bind_int(note, 3, width);
  sqlite3_bind_int(note, 4, height);
  sqlite3_bind_int64(note, 5, now + 86400);
  run_once(note);
  sqlite3_bind_int(insertion, 1, picture->id);
  bind_text(insertion, &place, arrival->image->thumbnail);
  bind_text(insertion, &place, arrival->etag);
  bind_text(insertion, &place, arrival->modified);
  sqlite3_bind_int64(insertion, 5, now);
  sqlite3_bind_int64(insertion, 6, put(picture));
  sqlite3_bind_int64(insertion, 7, (sqlite3_int64)picture->count);
  sqlite3_bind_int64(insertion, 8, checksum(picture));
  run_once(insertion);
  free(picture->bytes);
  free(arrival);
}

/* Takes what has come once it is enough for a transaction; 0 at the end. */
static int next_batch(struct image **rows, int *count, struct arrival **arrivals)
{
  pthread_mutex_lock(&line.lock);
  while(line.row_count < enough && line.arrival_count < BATCH && !(line.is_read && line.row_count)
    && !line.is_fetched)
    pthread_cond_wait(&line.changed, &line.lock);
  *rows = line.rows;
  *count = line.row_count;
  *arrivals = line.arrivals;
  *line.last_row = NULL;
  line.rows = NULL;
  line.last_row = &line.rows;
  line.arrivals = NULL;
  line.last_arrival = &line.arrivals;
  line.row_count = line.arrival_count = 0;
  pthread_mutex_unlock(&line.lock);
  return *rows || *arrivals;
}

static void *store_all(void *unused)
{
  sqlite3 *database = opened();
  sqlite3_stmt *many, *one, *words, *insertion, *note;
  struct arrival *arrivals, *next;
  struct image *rows;
  int count;
  open_pack();
  make_tables(database);
  many = row_insertion(database, ROWS_AT_ONCE);
  one = row_insertion(database, 1);
  words = prepared(database, "INSERT INTO image_search(rowid, title, author, feed_token) VALUES (?, ?, ?, 'f1')");
  insertion = prepared(database, insertion_sql);
  note = prepared(database, note_sql);
  while(next_batch(&rows, &count, &arrivals)) {
    run(database, "BEGIN IMMEDIATE");
    store_rows(many, one, words, rows, count);
    for(; arrivals; arrivals = next) {
      next = arrivals->next;
      store_picture(insertion, note, arrivals);
    }
    sync_pack();
    run(database, "COMMIT");
  }
  sqlite3_finalize(many);
  sqlite3_finalize(one);
  sqlite3_finalize(words);
  sqlite3_finalize(insertion);
  sqlite3_finalize(note);
  close_library(database);
  return unused;
}

/* --- fetching --- */

/* Keeps a field's value, without its end of line. */
static void keep(char *field, const char *start, size_t count)
{
  while(count && (*start == ' ' || *start == '\t')) start++, count--;
  while(count && isspace((unsigned char)start[count - 1])) count--;
  if(count >= FIELD) fail("a field is too long");
  memcpy(field, start, count);
  field[count] = 0;
}

static size_t take_field(char *field, size_t one, size_t count, void *user)
{
  struct arrival *arrival = user;
  count *= one;
  if(count > 5 && !strncasecmp(field, "etag:", 5)) keep(arrival->etag, field + 5, count - 5);
  else if(count > 14 && !strncasecmp(field, "last-modified:", 14))
    keep(arrival->modified, field + 14, count - 14);
  return count;
}

static void ask(CURL *easy, const struct image *wanted)
{
  struct arrival *arrival = calloc(1, sizeof *arrival);
  check_memory(arrival);
  arrival->image = wanted;
  arrival->picture.id = wanted->id;
  make_room(&arrival->picture);
  curl_easy_setopt(easy, CURLOPT_URL, wanted->thumbnail);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &arrival->picture);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, arrival);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, arrival);
  curl_multi_add_handle(multi, easy);
}

static struct image *next_wanted(int *is_end)
{
  struct image *wanted;
  pthread_mutex_lock(&line.lock);
  wanted = line.wanted;
  if(wanted && !(line.wanted = wanted->next_wanted)) line.last_wanted = &line.wanted;
  *is_end = !wanted && line.is_read;
  pthread_mutex_unlock(&line.lock);
  return wanted;
}

static void hand_over(CURL *easy)
{
  struct arrival *arrival;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &arrival);
  pthread_mutex_lock(&line.lock);
  *line.last_arrival = arrival;
  line.last_arrival = &arrival->next;
  if(++line.arrival_count == BATCH) pthread_cond_signal(&line.changed);
  pthread_mutex_unlock(&line.lock);
}

static void fetch_all(int at_once)
{
  CURL **idle = calloc((size_t)at_once, sizeof *idle);
  CURLMsg *message;
  struct curl_slist *fields = curl_slist_append(NULL, "Accept: image/*, */*;q=0.5");
  int idle_count, running, left, has_ended, is_end = 0;
  check_memory(idle);
  fields = curl_slist_append(fields, "Accept-Encoding: identity");
  check_memory(fields = curl_slist_append(fields, "User-Agent: gallery/0.1.0"));
  for(idle_count = 0; idle_count < at_once; idle_count++) {
    idle[idle_count] = new_handle();
    curl_easy_setopt(idle[idle_count], CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(idle[idle_count], CURLOPT_HEADERFUNCTION, take_field);
  }
  while(!is_end || idle_count < at_once) {
    struct image *wanted;
    while(idle_count && (wanted = next_wanted(&is_end))) ask(idle[--idle_count], wanted);
    curl_multi_perform(multi, &running);
    has_ended = 0;
    while((message = curl_multi_info_read(multi, &left))) {
      if(message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
      hand_over(message->easy_handle);
      idle[idle_count++] = message->easy_handle;
      curl_multi_remove_handle(multi, message->easy_handle);
      has_ended = 1;
    }
    if(!has_ended && (!is_end || idle_count < at_once)) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  while(idle_count) curl_easy_cleanup(idle[--idle_count]);
  curl_slist_free_all(fields);
  free(idle);
}

int main(int count, char **arguments)
{
  pthread_t reading, storing;
  int option;
  program = "sync_feed";
  while((option = getopt(count, arguments, "t:")) != -1) {
    if(option == 't') certificate = optarg;
    else count = 0;
  }
  if(count - optind != 4) fail("usage: sync_feed [-t CERTIFICATE] LIBRARY BASE FOLDER CONNECTIONS");
  arguments += optind;
  library = arguments[0];
  base = arguments[1];
  folder = arguments[2];
  now = time(NULL);
  curl_global_init(CURL_GLOBAL_ALL);
  multi = new_multi(atoi(arguments[3]));
  pthread_create(&storing, NULL, store_all, NULL);
  pthread_create(&reading, NULL, read_feed, NULL);
  fetch_all(atoi(arguments[3]));
  pthread_join(reading, NULL);
  pthread_mutex_lock(&line.lock);
  line.is_fetched = 1;
  pthread_cond_signal(&line.changed);
  pthread_mutex_unlock(&line.lock);
  pthread_join(storing, NULL);
  curl_multi_cleanup(multi);
  return 0;
}
