#ifndef GALLERY_CCRYPTO_H
#define GALLERY_CCRYPTO_H

#include <stddef.h>

/* SHA-256 and HMAC by OpenSSL's libcrypto, which is loaded with the first call. */

enum { CCRYPTO_SHA256_BYTES = 32 };

/* A hash that is being computed: OpenSSL's EVP_MD_CTX. */
typedef struct evp_md_ctx_st ccrypto_hash;

/* Loads the library for the rest of the process; NULL, or why it cannot be used. From any thread. */
const char *ccrypto_load(void);

/* Begins a hash, which ccrypto_free ends; NULL without the library, or without memory. */
ccrypto_hash *ccrypto_sha256(void);

/* Adds bytes to a hash; 0 for a failure. */
int ccrypto_update(ccrypto_hash *hash, const void *bytes, size_t count);

/* Writes the digest of all bytes so far; more may be added afterwards. 0 for a failure. */
int ccrypto_digest(const ccrypto_hash *hash, unsigned char digest[CCRYPTO_SHA256_BYTES]);

void ccrypto_free(ccrypto_hash *hash);

/* As many as SHA-512 has. */
enum { CCRYPTO_MOST_MAC_BYTES = 64 };

/* A message authentication code that is being computed: OpenSSL's EVP_MAC_CTX. */
typedef struct evp_mac_ctx_st ccrypto_mac;

/* Begins an HMAC (RFC 2104) with a digest, such as "SHA256"; ccrypto_mac_free ends it. NULL without the
   library, the digest, or memory. */
ccrypto_mac *ccrypto_hmac(const char *digest, const void *key, size_t count);

/* Adds bytes to a code; 0 for a failure. */
int ccrypto_mac_update(ccrypto_mac *mac, const void *bytes, size_t count);

/* Writes the code of all bytes, after which none may be added; answers with its length, 0 for a failure. */
size_t ccrypto_mac_finish(ccrypto_mac *mac, unsigned char code[CCRYPTO_MOST_MAC_BYTES]);

void ccrypto_mac_free(ccrypto_mac *mac);

#endif
