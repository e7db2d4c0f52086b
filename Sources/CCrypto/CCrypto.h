#ifndef GALLERY_CCRYPTO_H
#define GALLERY_CCRYPTO_H

#include <stddef.h>

/* SHA-256 by OpenSSL's libcrypto, which is loaded with the first call. */

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

#endif
