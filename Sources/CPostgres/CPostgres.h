#ifndef GALLERY_CPOSTGRES_H
#define GALLERY_CPOSTGRES_H

/* PostgreSQL's client library, libpq (postgresql.org/docs/15/libpq.html), which is loaded on the first call of
 * cpostgres_load. Its functions have the same names here, with cpostgres_ in place of PQ. All functions except
 * cpostgres_load need the loaded library. */

typedef struct pg_conn cpostgres_connection;
typedef struct pg_result cpostgres_result;

enum { CPOSTGRES_CONNECTION_OK = 0 };

/* The values of ExecStatusType that the program distinguishes. */
enum {
  CPOSTGRES_COMMAND_OK = 1,
  CPOSTGRES_TUPLES_OK = 2,
  CPOSTGRES_COPY_IN = 4
};

enum { CPOSTGRES_SQLSTATE = 'C', CPOSTGRES_MESSAGE = 'M' };

/* PQconninfoOption. */
typedef struct {
  char *keyword;
  char *variable;
  char *compiled;
  char *value;
  char *label;
  char *dispchar;
  int dispsize;
} cpostgres_option;

/* Loads the library for the lifetime of the process; returns NULL, or the reason why it cannot be used. Any
 * thread may call it. */
const char *cpostgres_load(void);

cpostgres_connection *cpostgres_connectdbParams(
  const char *const *keywords, const char *const *values, int expand_dbname);
int cpostgres_status(const cpostgres_connection *connection);
char *cpostgres_errorMessage(const cpostgres_connection *connection);
int cpostgres_serverVersion(const cpostgres_connection *connection);
void cpostgres_finish(cpostgres_connection *connection);

/* Discards the server's notices, which libpq would print. */
void cpostgres_dropNotices(cpostgres_connection *connection);

cpostgres_result *cpostgres_exec(cpostgres_connection *connection, const char *statements);
cpostgres_result *cpostgres_prepare(
  cpostgres_connection *connection, const char *name, const char *statement, int count,
  const unsigned *types);
cpostgres_result *cpostgres_execPrepared(
  cpostgres_connection *connection, const char *name, int count, const char *const *values,
  const int *lengths, const int *formats, int result_format);

int cpostgres_putCopyData(cpostgres_connection *connection, const char *bytes, int count);
int cpostgres_putCopyEnd(cpostgres_connection *connection, const char *problem);
cpostgres_result *cpostgres_getResult(cpostgres_connection *connection);

int cpostgres_resultStatus(const cpostgres_result *result);
char *cpostgres_resultErrorField(const cpostgres_result *result, int field);
unsigned cpostgres_ftype(const cpostgres_result *result, int column);
int cpostgres_ntuples(const cpostgres_result *result);
int cpostgres_getisnull(const cpostgres_result *result, int row, int column);
int cpostgres_getlength(const cpostgres_result *result, int row, int column);
char *cpostgres_getvalue(const cpostgres_result *result, int row, int column);
char *cpostgres_cmdTuples(cpostgres_result *result);
void cpostgres_clear(cpostgres_result *result);

cpostgres_option *cpostgres_conninfoParse(const char *text, char **problem);
void cpostgres_conninfoFree(cpostgres_option *options);
void cpostgres_freemem(void *memory);

#endif
