#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>

/* libcurl's functions, as far as they are used: each hands its call on to the library, which is loaded
 * with the first of them. Linking it would load it, and the two dozen libraries that it needs, at the
 * start of every command, which takes longer than all else that a command does to read what is stored.
 *
 * Without the library each gives what its kind of failure is; curl_easy_strerror says why. */

/* curl.h checks the arguments of variadic functions by macros of the same names. */
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

/* F(type, name, parameters, arguments, result without the library) for each function that has a fixed
 * number of arguments. */
#define CCURL_FUNCTIONS(F) \
  F(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT) \
  F(void, curl_free, (void *memory), (memory), (void)0) \
  F(time_t, curl_getdate, (const char *text, const time_t *unused), (text, unused), -1) \
  F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), \
    (list, text), NULL) \
  F(void, curl_slist_free_all, (struct curl_slist *list), (list), (void)0) \
  F(CURL *, curl_easy_init, (void), (), NULL) \
  F(void, curl_easy_cleanup, (CURL *easy), (easy), (void)0) \
  F(CURLcode, curl_easy_pause, (CURL *easy, int directions), (easy, directions), \
    CURLE_FAILED_INIT) \
  F(const char *, curl_easy_strerror, (CURLcode code), (code), ccurl_problem) \
  F(CURLM *, curl_multi_init, (void), (), NULL) \
  F(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy), \
    CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy), \
    CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running), \
    CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_poll, \
    (CURLM *multi, struct curl_waitfd *more, unsigned int count, int milliseconds, int *ready), \
    (multi, more, count, milliseconds, ready), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi), CURLM_BAD_HANDLE) \
  F(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left), NULL) \
  F(CURLU *, curl_url, (void), (), NULL) \
  F(void, curl_url_cleanup, (CURLU *url), (url), (void)0) \
  F(CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned int flags), \
    (url, part, text, flags), CURLUE_OUT_OF_MEMORY) \
  F(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags), \
    (url, part, text, flags), CURLUE_OUT_OF_MEMORY)

/* G(type, name, handle, option, failure) for each function whose third argument is of the kind that its
 * second one says. */
#define CCURL_VARIADIC_FUNCTIONS(G) \
  G(CURLcode, curl_easy_setopt, CURL *, CURLoption, CURLE_FAILED_INIT) \
  G(CURLcode, curl_easy_getinfo, CURL *, CURLINFO, CURLE_FAILED_INIT) \
  G(CURLMcode, curl_multi_setopt, CURLM *, CURLMoption, CURLM_BAD_HANDLE)

#define CCURL_MEMBER(type, name, ...) __typeof__(name) *name;
static struct {
  CCURL_FUNCTIONS(CCURL_MEMBER)
  CCURL_VARIADIC_FUNCTIONS(CCURL_MEMBER)
} ccurl_library;

static int ccurl_is_loaded;
static const char *ccurl_problem = "one of its functions is missing";
static pthread_once_t ccurl_once = PTHREAD_ONCE_INIT;

#define CCURL_FIND(type, name, ...) \
  ccurl_library.name = (__typeof__(ccurl_library.name))dlsym(library, #name); \
  if(!ccurl_library.name) return;

/* Loads the library for the rest of the process. What its own libraries call of one another is looked
 * up when it is called, as in a program that is linked with it: most of it never is. */
static void ccurl_load(void)
{
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if(!library) {
    const char *reason = dlerror();
    ccurl_problem = reason ? strdup(reason) : NULL;
    if(!ccurl_problem) ccurl_problem = "it cannot be loaded";
    return;
  }
  CCURL_FUNCTIONS(CCURL_FIND)
  CCURL_VARIADIC_FUNCTIONS(CCURL_FIND)
  ccurl_is_loaded = 1;
}

static int ccurl_ready(void)
{
  pthread_once(&ccurl_once, ccurl_load);
  return ccurl_is_loaded;
}

/* Hidden, so that nobody takes them for the library's own, least of all the library. */
#define CCURL_HIDDEN __attribute__((visibility("hidden")))

#define CCURL_DEFINE(type, name, parameters, arguments, failure) \
  CCURL_HIDDEN type name parameters \
  { \
    if(!ccurl_ready()) return failure; \
    return ccurl_library.name arguments; \
  }

/* All kinds of third arguments, pointers, long and curl_off_t, are passed in the same way. */
_Static_assert(sizeof(long) == sizeof(void *), "a long is not passed as a pointer is");
_Static_assert(sizeof(curl_off_t) == sizeof(void *), "a curl_off_t is not passed as a pointer is");

#define CCURL_DEFINE_VARIADIC(type, name, handle_type, option_type, failure) \
  CCURL_HIDDEN type name(handle_type handle, option_type option, ...) \
  { \
    va_list arguments; \
    void *argument; \
    if(!ccurl_ready()) return failure; \
    va_start(arguments, option); \
    argument = va_arg(arguments, void *); \
    va_end(arguments); \
    return ccurl_library.name(handle, option, argument); \
  }

CCURL_FUNCTIONS(CCURL_DEFINE)
CCURL_VARIADIC_FUNCTIONS(CCURL_DEFINE_VARIADIC)
