#ifndef GALLERY_CCURL_H
#define GALLERY_CCURL_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

/* 7.80.0 introduced the callback before each request on a connection (CURLOPT_PREREQFUNCTION). */
#if LIBCURL_VERSION_NUM < 0x075000
#error "gallery needs libcurl 7.80.0 or later"
#endif

/* Swift cannot call variadic functions, so each kind of argument of curl_easy_setopt has a function. */
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value)
{
  return curl_easy_setopt(easy, option, value);
}

/* Sets a string, which libcurl copies; NULL resets the option. */
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value)
{
  return curl_easy_setopt(easy, option, value);
}

/* Sets bytes, which libcurl copies; NULL resets the option. */
static inline CURLcode ccurl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count)
{
  struct curl_blob blob = { (void *)bytes, count, CURL_BLOB_COPY };
  return curl_easy_setopt(easy, option, bytes ? &blob : NULL);
}

/* Returns the path of the certificates that libcurl was built to trust; NULL when there is none. */
static inline const char *ccurl_usual_certificates(void)
{
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info && info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
}

/* Converts the host name of an address from UTF-8 to the form of the name service (UTS #46, IDNA 2008), with
   libidn2, which libcurl needs as well. libcurl itself would convert it from the encoding of the locale, which
   this program never sets. Returns NULL for a name that is not valid; free the result with ccurl_free_host. */
char *ccurl_ascii_host(const char *host);
void ccurl_free_host(char *host);

/* Sets a pointer that libcurl keeps; it must be valid for as long as the handle is in use. */
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value)
{
  return curl_easy_setopt(easy, option, value);
}

/* The type of write and header callbacks; curl.h has a name only for that of write callbacks. */
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/* A separate setter, because a function pointer is not a void pointer in C. */
static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver)
{
  return curl_easy_setopt(easy, option, receiver);
}

/* Sets the callbacks before a socket is opened, and before a request is sent on a new or reused
   connection. An error means that libcurl would not call one of them. */
static inline CURLcode ccurl_set_guards(CURL *easy, curl_opensocket_callback opener,
                                        curl_prereq_callback asker, void *context)
{
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
  if(!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if(!code) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, asker);
  if(!code) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code;
}

/* Copies the 4 or 16 bytes of an IP address to `bytes`, which has room for 16, and returns their number;
   0 for another kind of address. The socket address may be longer than the member that curl.h declares. */
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

/* Allows only http and https, also for redirects. In 7.85.0, strings replaced the bit masks. */
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

/* Without this option, which 7.87.0 introduced, removing a transfer waits until its name look-up ends. */
static inline void ccurl_set_quick_exit(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075700
  (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

/* curl_multi_setopt is variadic, too; all multi options that are used take a long. */
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value)
{
  return curl_multi_setopt(multi, option, value);
}

/* curl_easy_getinfo is variadic, so each kind of result has a getter, which returns 0 on failure. */
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

/* Returns a string that belongs to the handle until its next transfer; NULL when there is none. */
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info)
{
  const char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/* Returns a list that the caller frees with curl_slist_free_all; NULL when there is none. */
static inline struct curl_slist *ccurl_get_list(CURL *easy, CURLINFO info)
{
  struct curl_slist *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/* Returns the handle's CURLOPT_PRIVATE pointer, which curl.h declares as a char pointer. */
static inline void *ccurl_get_private(CURL *easy)
{
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

/* Returns the result, which is in a C union; Swift would offer its other member as well. */
static inline CURLcode ccurl_result(const CURLMsg *message)
{
  return message->data.result;
}

#endif
