#ifndef GALLERY_CCURL_H
#define GALLERY_CCURL_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

/* With 7.80.0 came the callback that sees a connection before it is used again. */
#if LIBCURL_VERSION_NUM < 0x075000
#error "gallery needs libcurl 7.80.0 or later"
#endif

/* Swift calls no C variadics, so each kind of argument of curl_easy_setopt gets a function. */
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value)
{
  return curl_easy_setopt(easy, option, value);
}

/* A string that libcurl copies; NULL takes the option back. */
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value)
{
  return curl_easy_setopt(easy, option, value);
}

/* A pointer that libcurl keeps: it must live as long as the handle is at work. */
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value)
{
  return curl_easy_setopt(easy, option, value);
}

/* libcurl's type for write and header callbacks, which curl.h names for writing only. */
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/* A function pointer is no void pointer in C, hence a setter of its own. */
static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver)
{
  return curl_easy_setopt(easy, option, receiver);
}

/* What is called before a socket is opened, and before a request is sent on one, new or used before:
   an error says that one of them would not be called. */
static inline CURLcode ccurl_set_guards(CURL *easy, curl_opensocket_callback opener,
                                        curl_prereq_callback asker, void *context)
{
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
  if(!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if(!code) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, asker);
  if(!code) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code;
}

/* Copies the bytes of an IP address, 4 or 16, into room for 16; 0 for an address of another kind.
   The socket address goes on behind the member that curl.h declares for it. */
static inline size_t ccurl_copy_address(const struct curl_sockaddr *address, unsigned char *bytes)
{
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  if(address->family == AF_INET && address->addrlen >= sizeof(v4)) {
    memcpy(&v4, &address->addr, sizeof(v4));
    memcpy(bytes, &v4.sin_addr, 4);
    return 4;
  }
  if(address->family == AF_INET6 && address->addrlen >= sizeof(v6)) {
    const unsigned char *start = (const unsigned char *)address + offsetof(struct curl_sockaddr, addr);
    memcpy(&v6, start, sizeof(v6));
    memcpy(bytes, &v6.sin6_addr, 16);
    return 16;
  }
  return 0;
}

/* The string forms replaced the bit masks in 7.85.0; both mean http and https, also on redirect. */
static inline CURLcode ccurl_set_web_only(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if(code) return code;
  return curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, web);
  if(code) return code;
  return curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, web);
#endif
}

/* Without it, letting go of a transfer waits for its name look-up to end; it came with 7.87.0. */
static inline void ccurl_set_quick_exit(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075700
  (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

/* curl_multi_setopt is variadic too; every multi option used is a long. */
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value)
{
  return curl_multi_setopt(multi, option, value);
}

/* curl_easy_getinfo is variadic: one getter for each kind of answer. 0 when there is none. */
static inline curl_off_t ccurl_get_offset(CURL *easy, CURLINFO info)
{
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info)
{
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* A string that belongs to the handle until its next transfer; NULL when there is none. */
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info)
{
  const char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/* The handle's CURLOPT_PRIVATE pointer, for which curl.h has no type but char pointer. */
static inline void *ccurl_get_private(CURL *easy)
{
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

/* The result lies in a C union, whose other member Swift would offer as well. */
static inline CURLcode ccurl_result(const CURLMsg *message)
{
  return message->data.result;
}

#endif
