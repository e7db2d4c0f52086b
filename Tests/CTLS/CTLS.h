#ifndef GALLERY_CTLS_H
#define GALLERY_CTLS_H

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* EVP_EC_gen is a macro over a variadic function, neither of which Swift calls. */
static inline EVP_PKEY *ctls_new_key(void)
{
  return EVP_EC_gen("P-256");
}

/* Adds an extension in the words of x509v3_config(5); 0 when that cannot be done. */
static inline int ctls_extend(X509 *certificate, X509 *issuer, int kind, const char *value)
{
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  if(!extension) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

/*
 * A certificate for a key, valid from and until so many seconds from now. Without an issuer it is
 * signed by its own key; without alternative names it is an authority's. NULL when out of memory.
 */
static inline X509 *ctls_new_certificate(EVP_PKEY *key, const char *name, const char *names,
                                         long from, long until, X509 *issuer, EVP_PKEY *issuer_key)
{
  static long serial = 1;
  X509 *certificate = X509_new();
  if(!certificate) return NULL;
  X509_NAME *subject = X509_get_subject_name(certificate);
  X509 *signer = issuer ? issuer : certificate;
  int done = X509_set_version(certificate, X509_VERSION_3)
    && ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++)
    && X509_gmtime_adj(X509_getm_notBefore(certificate), from)
    && X509_gmtime_adj(X509_getm_notAfter(certificate), until)
    && X509_set_pubkey(certificate, key)
    && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0)
    && X509_set_issuer_name(certificate, X509_get_subject_name(signer))
    && ctls_extend(certificate, signer, NID_basic_constraints,
                   names ? "critical,CA:FALSE" : "critical,CA:TRUE")
    && (!names || ctls_extend(certificate, signer, NID_subject_alt_name, names))
    && X509_sign(certificate, issuer_key ? issuer_key : key, EVP_sha256());
  if(done) return certificate;
  X509_free(certificate);
  return NULL;
}

/* Protocols in the form of RFC 7301, section 3.1, the most wanted first; ends with a zero. */
static inline int ctls_select_protocol(SSL *ssl, const unsigned char **out, unsigned char *length,
                                       const unsigned char *offered, unsigned int offered_length,
                                       void *wanted)
{
  (void)ssl;
  unsigned char *selected = NULL;
  int found = SSL_select_next_proto(&selected, length, (const unsigned char *)wanted,
                                    (unsigned int)strlen((const char *)wanted),
                                    offered, offered_length);
  *out = selected;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/* The strings live as long as the program, and so longer than any context. */
static inline void ctls_offer(SSL_CTX *context, int http2)
{
  SSL_CTX_set_alpn_select_cb(context, ctls_select_protocol,
                             http2 ? (void *)"\x02h2\x08http/1.1" : (void *)"\x08http/1.1");
}

/* Whether HTTP/2 was agreed on. */
static inline int ctls_speaks_http2(const SSL *ssl)
{
  const unsigned char *name = NULL;
  unsigned int length = 0;
  SSL_get0_alpn_selected(ssl, &name, &length);
  return length == 2 && !memcmp(name, "h2", 2);
}

#endif
