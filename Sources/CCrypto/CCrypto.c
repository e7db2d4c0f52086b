#include "CCrypto.h"

#include <dlfcn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
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
  F(EVP_DigestFinal_ex) \
  F(EVP_MAC_fetch) \
  F(EVP_MAC_free) \
  F(EVP_MAC_CTX_new) \
  F(EVP_MAC_CTX_free) \
  F(EVP_MAC_init) \
  F(EVP_MAC_update) \
  F(EVP_MAC_final) \
  F(EVP_PKEY_new_raw_private_key) \
  F(EVP_PKEY_new_raw_public_key) \
  F(EVP_PKEY_get_raw_public_key) \
  F(EVP_PKEY_free) \
  F(EVP_DigestSignInit) \
  F(EVP_DigestSign) \
  F(EVP_DigestVerifyInit) \
  F(EVP_DigestVerify)

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

/* EVP_DigestFinal_ex ends a hash, so this finishes a copy. */
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

ccrypto_mac *ccrypto_hmac(const char *digest, const void *key, size_t count)
{
  if(ccrypto_load()) return NULL;
  EVP_MAC *hmac = library.EVP_MAC_fetch(NULL, "HMAC", NULL);
  if(!hmac) return NULL;
  ccrypto_mac *mac = library.EVP_MAC_CTX_new(hmac);
  /* The context holds its own reference. */
  library.EVP_MAC_free(hmac);
  if(!mac) return NULL;
  /* The values that OSSL_PARAM_construct_utf8_string and OSSL_PARAM_construct_end would return. */
  OSSL_PARAM parameters[2] = {
    { OSSL_MAC_PARAM_DIGEST, OSSL_PARAM_UTF8_STRING, (void *)digest, strlen(digest),
      OSSL_PARAM_UNMODIFIED },
    { NULL, 0, NULL, 0, 0 }
  };
  if(library.EVP_MAC_init(mac, key, count, parameters)) return mac;
  library.EVP_MAC_CTX_free(mac);
  return NULL;
}

int ccrypto_mac_update(ccrypto_mac *mac, const void *bytes, size_t count)
{
  return library.EVP_MAC_update(mac, bytes, count);
}

size_t ccrypto_mac_finish(ccrypto_mac *mac, unsigned char code[CCRYPTO_MOST_MAC_BYTES])
{
  size_t count = 0;
  int is_sound = library.EVP_MAC_final(mac, code, &count, CCRYPTO_MOST_MAC_BYTES);
  return is_sound ? count : 0;
}

void ccrypto_mac_free(ccrypto_mac *mac)
{
  library.EVP_MAC_CTX_free(mac);
}

static EVP_PKEY *private_key(const unsigned char seed[CCRYPTO_ED25519_BYTES])
{
  if(ccrypto_load()) return NULL;
  return library.EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, CCRYPTO_ED25519_BYTES);
}

int ccrypto_ed25519_public(
  const unsigned char seed[CCRYPTO_ED25519_BYTES],
  unsigned char key[CCRYPTO_ED25519_BYTES])
{
  EVP_PKEY *pair = private_key(seed);
  size_t count = CCRYPTO_ED25519_BYTES;
  int is_sound = pair && library.EVP_PKEY_get_raw_public_key(pair, key, &count) == 1
    && count == CCRYPTO_ED25519_BYTES;
  if(pair) library.EVP_PKEY_free(pair);
  return is_sound;
}

int ccrypto_ed25519_sign(
  const unsigned char seed[CCRYPTO_ED25519_BYTES],
  const void *bytes, size_t count,
  unsigned char signature[CCRYPTO_ED25519_SIGNATURE_BYTES])
{
  EVP_PKEY *pair = private_key(seed);
  EVP_MD_CTX *context = pair ? library.EVP_MD_CTX_new() : NULL;
  size_t length = CCRYPTO_ED25519_SIGNATURE_BYTES;
  int is_sound = context
    && library.EVP_DigestSignInit(context, NULL, NULL, NULL, pair) == 1
    && library.EVP_DigestSign(context, signature, &length, bytes, count) == 1
    && length == CCRYPTO_ED25519_SIGNATURE_BYTES;
  if(context) library.EVP_MD_CTX_free(context);
  if(pair) library.EVP_PKEY_free(pair);
  return is_sound;
}

int ccrypto_ed25519_verify(
  const unsigned char key[CCRYPTO_ED25519_BYTES],
  const void *bytes, size_t count,
  const unsigned char signature[CCRYPTO_ED25519_SIGNATURE_BYTES])
{
  if(ccrypto_load()) return -1;
  EVP_PKEY *public_key =
    library.EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, CCRYPTO_ED25519_BYTES);
  EVP_MD_CTX *context = public_key ? library.EVP_MD_CTX_new() : NULL;
  int is_right = -1;
  if(context && library.EVP_DigestVerifyInit(context, NULL, NULL, NULL, public_key) == 1) {
    is_right = library.EVP_DigestVerify(
      context, signature, CCRYPTO_ED25519_SIGNATURE_BYTES, bytes, count) == 1;
  }
  if(context) library.EVP_MD_CTX_free(context);
  if(public_key) library.EVP_PKEY_free(public_key);
  return is_right;
}
