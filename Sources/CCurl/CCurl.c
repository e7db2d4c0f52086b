#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>

/* The functions of libcurl that the program uses. The first call loads libcurl, and each function passes
 * its call on to it. Linking would load libcurl, and the two dozen libraries that it needs, at the
 * start of every command. That takes longer than all other work of a command that only reads stored data.
 *
 * If libcurl cannot be loaded, each function returns a failure; curl_easy_strerror says why. */

/* curl.h checks the arguments of variadic functions by macros of the same names. */
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

/* F(type, name, parameters, arguments, result without the library) for each function that has a fixed
 * number of arguments. */
#define CCURL_FUNCTIONS(F) \
  F(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT) \
  F(curl_version_info_data *, curl_version_info, (CURLversion age), (age), NULL) \
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

/* G(type, name, handle, option, failure) for each function whose second argument determines the type of
 * the third one. */
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

/* Loads libcurl for the rest of the process. RTLD_LAZY looks up functions of its own libraries only when
 * they are called, as in a linked program: most of them never are. */
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

/* Hidden, so that other libraries, and libcurl itself, do not call these instead of libcurl's own functions. */
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

/* The functions of libidn2 (idn2.h), loaded like libcurl. */
static int (*ccurl_lookup)(const unsigned char *host, unsigned char **ascii, int flags);
static void (*ccurl_idn_free)(void *memory);
static pthread_once_t ccurl_idn_once = PTHREAD_ONCE_INIT;

/* IDN2_NFC_INPUT and IDN2_NONTRANSITIONAL: the processing of browsers. */
enum { ccurl_idn_flags = 1 | 8 };

static void ccurl_load_idn(void)
{
  void *library = dlopen("libidn2.so.0", RTLD_LAZY | RTLD_LOCAL);
  if(!library) return;
  ccurl_idn_free = (__typeof__(ccurl_idn_free))dlsym(library, "idn2_free");
  if(!ccurl_idn_free) return;
  ccurl_lookup = (__typeof__(ccurl_lookup))dlsym(library, "idn2_lookup_u8");
}

CCURL_HIDDEN char *ccurl_ascii_host(const char *host)
{
  unsigned char *ascii = NULL;
  pthread_once(&ccurl_idn_once, ccurl_load_idn);
  if(!ccurl_lookup) return NULL;
  if(ccurl_lookup((const unsigned char *)host, &ascii, ccurl_idn_flags) != 0) return NULL;
  return (char *)ascii;
}

CCURL_HIDDEN void ccurl_free_host(char *host)
{
  if(ccurl_idn_free) ccurl_idn_free(host);
}
