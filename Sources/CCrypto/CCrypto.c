#include "CCrypto.h"

#include <dlfcn.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <string.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "gallery needs OpenSSL 3.0 or later"
#endif

/* Linking libcrypto would load its 5 MB at the start of every command, and most commands hash nothing.
 * A transfer needs it anyway, because libcurl does. */

#define CCRYPTO_FUNCTIONS(F) \
  F(EVP_MD_fetch) \
  F(EVP_MD_CTX_new) \
  F(EVP_MD_CTX_free) \
  F(EVP_MD_CTX_copy_ex) \
  F(EVP_DigestInit_ex) \
  F(EVP_DigestUpdate) \
  F(EVP_DigestFinal_ex)

#define CCRYPTO_MEMBER(name) __typeof__(name) *name;
static struct {
  CCRYPTO_FUNCTIONS(CCRYPTO_MEMBER)
} library;

/* Looked up once: OpenSSL would otherwise search its providers for each hash. */
static EVP_MD *sha256;

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define CCRYPTO_TEXT(value) #value
#define CCRYPTO_NAME(version) "libcrypto.so." CCRYPTO_TEXT(version)

#define CCRYPTO_FIND(name) \
  library.name = (__typeof__(library.name))dlsym(handle, #name); \
  if(!library.name) return;

static void load(void)
{
  void *handle = dlopen(CCRYPTO_NAME(OPENSSL_SHLIB_VERSION), RTLD_LAZY | RTLD_LOCAL);
  if(!handle) {
    const char *reason = dlerror();
    problem = reason ? strdup(reason) : NULL;
    if(!problem) problem = "it cannot be loaded";
    return;
  }
  problem = "one of its functions is missing";
  CCRYPTO_FUNCTIONS(CCRYPTO_FIND)
  problem = "it does not offer SHA-256";
  sha256 = library.EVP_MD_fetch(NULL, "SHA256", NULL);
  if(sha256) problem = NULL;
}

const char *ccrypto_load(void)
{
  pthread_once(&once, load);
  return problem;
}

ccrypto_hash *ccrypto_sha256(void)
{
  if(ccrypto_load()) return NULL;
  ccrypto_hash *hash = library.EVP_MD_CTX_new();
  if(hash && library.EVP_DigestInit_ex(hash, sha256, NULL)) return hash;
  library.EVP_MD_CTX_free(hash);
  return NULL;
}

int ccrypto_update(ccrypto_hash *hash, const void *bytes, size_t count)
{
  return library.EVP_DigestUpdate(hash, bytes, count);
}

/* To finish a hash ends it, so a copy is finished. */
int ccrypto_digest(const ccrypto_hash *hash, unsigned char digest[CCRYPTO_SHA256_BYTES])
{
  ccrypto_hash *copy = library.EVP_MD_CTX_new();
  if(!copy) return 0;
  int is_sound = library.EVP_MD_CTX_copy_ex(copy, hash)
    && library.EVP_DigestFinal_ex(copy, digest, NULL);
  library.EVP_MD_CTX_free(copy);
  return is_sound;
}

void ccrypto_free(ccrypto_hash *hash)
{
  library.EVP_MD_CTX_free(hash);
}
