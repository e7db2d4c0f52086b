#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* Linking libpq would load it and Kerberos at the start of every command, but most libraries are in files. Its
 * functions are declared here because they are few and have not changed since PostgreSQL 9. */

/* F(result type, name, parameters, parameter names) for each function that returns a value. */
#define CPOSTGRES_FUNCTIONS(F) \
  F(cpostgres_connection *, connectdbParams, \
    (const char *const *keywords, const char *const *values, int expand_dbname), \
    (keywords, values, expand_dbname)) \
  F(int, status, (const cpostgres_connection *connection), (connection)) \
  F(char *, errorMessage, (const cpostgres_connection *connection), (connection)) \
  F(int, serverVersion, (const cpostgres_connection *connection), (connection)) \
  F(cpostgres_result *, exec, (cpostgres_connection *connection, const char *statements), \
    (connection, statements)) \
  F(cpostgres_result *, prepare, \
    (cpostgres_connection *connection, const char *name, const char *statement, int count, \
      const unsigned *types), \
    (connection, name, statement, count, types)) \
  F(cpostgres_result *, execPrepared, \
    (cpostgres_connection *connection, const char *name, int count, const char *const *values, \
      const int *lengths, const int *formats, int result_format), \
    (connection, name, count, values, lengths, formats, result_format)) \
  F(int, putCopyData, (cpostgres_connection *connection, const char *bytes, int count), \
    (connection, bytes, count)) \
  F(int, putCopyEnd, (cpostgres_connection *connection, const char *problem), \
    (connection, problem)) \
  F(cpostgres_result *, getResult, (cpostgres_connection *connection), (connection)) \
  F(unsigned, ftype, (const cpostgres_result *result, int column), (result, column)) \
  F(int, resultStatus, (const cpostgres_result *result), (result)) \
  F(char *, resultErrorField, (const cpostgres_result *result, int field), (result, field)) \
  F(int, ntuples, (const cpostgres_result *result), (result)) \
  F(int, getisnull, (const cpostgres_result *result, int row, int column), (result, row, column)) \
  F(int, getlength, (const cpostgres_result *result, int row, int column), (result, row, column)) \
  F(char *, getvalue, (const cpostgres_result *result, int row, int column), \
    (result, row, column)) \
  F(char *, cmdTuples, (cpostgres_result *result), (result)) \
  F(cpostgres_option *, conninfoParse, (const char *text, char **problem), (text, problem))

/* F(name, parameters, parameter names) for each function that returns nothing. */
#define CPOSTGRES_PROCEDURES(F) \
  F(finish, (cpostgres_connection *connection), (connection)) \
  F(clear, (cpostgres_result *result), (result)) \
  F(conninfoFree, (cpostgres_option *options), (options)) \
  F(freemem, (void *memory), (memory))

typedef void cpostgres_receiver(void *context, const cpostgres_result *result);

#define CPOSTGRES_MEMBER(type, name, parameters, names) type(*name) parameters;
#define CPOSTGRES_VOID_MEMBER(name, parameters, names) void(*name) parameters;
static struct {
  CPOSTGRES_FUNCTIONS(CPOSTGRES_MEMBER)
  CPOSTGRES_PROCEDURES(CPOSTGRES_VOID_MEMBER)
  cpostgres_receiver *(*setNoticeReceiver)(
    cpostgres_connection *connection, cpostgres_receiver *receiver, void *context);
} library;

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define CPOSTGRES_FIND(name) \
  library.name = (__typeof__(library.name))dlsym(handle, "PQ" #name); \
  if(!library.name) return;
#define CPOSTGRES_FIND_FUNCTION(type, name, parameters, names) CPOSTGRES_FIND(name)
#define CPOSTGRES_FIND_PROCEDURE(name, parameters, names) CPOSTGRES_FIND(name)

static void load(void)
{
  void *handle = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  if(!handle) {
    const char *reason = dlerror();
    problem = reason ? strdup(reason) : NULL;
    if(!problem) problem = "it cannot be loaded";
    return;
  }
  problem = "one of its functions is missing";
  CPOSTGRES_FUNCTIONS(CPOSTGRES_FIND_FUNCTION)
  CPOSTGRES_PROCEDURES(CPOSTGRES_FIND_PROCEDURE)
  CPOSTGRES_FIND(setNoticeReceiver)
  problem = NULL;
}

const char *cpostgres_load(void)
{
  pthread_once(&once, load);
  return problem;
}

#define CPOSTGRES_CALL(type, name, parameters, names) \
  type cpostgres_##name parameters { return library.name names; }
#define CPOSTGRES_DO(name, parameters, names) \
  void cpostgres_##name parameters { library.name names; }
CPOSTGRES_FUNCTIONS(CPOSTGRES_CALL)
CPOSTGRES_PROCEDURES(CPOSTGRES_DO)

static void drop(void *context, const cpostgres_result *result)
{
  (void)context;
  (void)result;
}

void cpostgres_dropNotices(cpostgres_connection *connection)
{
  library.setNoticeReceiver(connection, drop, NULL);
}
