#ifndef GALLERY_CCRYPTO_H
#define GALLERY_CCRYPTO_H

#include <stddef.h>

/* SHA-256, HMAC and Ed25519 from OpenSSL's libcrypto, which is loaded on the first call. */

enum { CCRYPTO_SHA256_BYTES = 32 };

/* A hash that is being computed: OpenSSL's EVP_MD_CTX. */
typedef struct evp_md_ctx_st ccrypto_hash;

/* Loads the library for the lifetime of the process; returns NULL, or the reason why it cannot be used.
   Any thread may call it. */
const char *ccrypto_load(void);

/* Begins a hash, which ccrypto_free frees; returns NULL when the library or memory is missing. */
ccrypto_hash *ccrypto_sha256(void);

/* Adds bytes to a hash; returns 0 on failure. */
int ccrypto_update(ccrypto_hash *hash, const void *bytes, size_t count);

/* Writes the digest of all bytes so far; more bytes may be added afterwards. Returns 0 on failure. */
int ccrypto_digest(const ccrypto_hash *hash, unsigned char digest[CCRYPTO_SHA256_BYTES]);

void ccrypto_free(ccrypto_hash *hash);

/* The length of the code of SHA-512. */
enum { CCRYPTO_MOST_MAC_BYTES = 64 };

/* A message authentication code that is being computed: OpenSSL's EVP_MAC_CTX. */
typedef struct evp_mac_ctx_st ccrypto_mac;

/* Begins an HMAC (RFC 2104) with a digest, such as "SHA256"; ccrypto_mac_free frees it. Returns NULL when
   the library, the digest or memory is missing. */
ccrypto_mac *ccrypto_hmac(const char *digest, const void *key, size_t count);

/* Adds bytes to a code; returns 0 on failure. */
int ccrypto_mac_update(ccrypto_mac *mac, const void *bytes, size_t count);

/* Writes the code of all bytes, after which no more bytes may be added; returns its length, or 0 on
   failure. */
size_t ccrypto_mac_finish(ccrypto_mac *mac, unsigned char code[CCRYPTO_MOST_MAC_BYTES]);

void ccrypto_mac_free(ccrypto_mac *mac);

/* Ed25519 (RFC 8032): the length of a private key and of a public key, and that of a signature. */
enum { CCRYPTO_ED25519_BYTES = 32, CCRYPTO_ED25519_SIGNATURE_BYTES = 64 };

/* Writes the public key of a private key; returns 0 when the library, the algorithm or memory is missing. */
int ccrypto_ed25519_public(
  const unsigned char seed[CCRYPTO_ED25519_BYTES],
  unsigned char key[CCRYPTO_ED25519_BYTES]);

/* Writes the signature of a message; returns 0 as above. */
int ccrypto_ed25519_sign(
  const unsigned char seed[CCRYPTO_ED25519_BYTES],
  const void *bytes, size_t count,
  unsigned char signature[CCRYPTO_ED25519_SIGNATURE_BYTES]);

/* Returns 1 for a right signature, 0 for a wrong one, and -1 when it cannot be checked. */
int ccrypto_ed25519_verify(
  const unsigned char key[CCRYPTO_ED25519_BYTES],
  const void *bytes, size_t count,
  const unsigned char signature[CCRYPTO_ED25519_SIGNATURE_BYTES]);

#endif
