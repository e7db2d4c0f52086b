#ifndef GALLERY_CXML2_H
#define GALLERY_CXML2_H

#include <stddef.h>

/* What is used of libxml2, declared here because the library is loaded with the first document:
 * linking it, and ICU with it, would make every command start later. Scripts/test compiles this file
 * after the library's own headers, which proves that both say the same. */

typedef struct {
  unsigned int value;
  const char *name;
  const char *desc;
} cxml2_entity;

typedef struct {
  int domain;
  int code;
  char *message;
  int level;
  char *file;
  int line;
  char *str1;
  char *str2;
  char *str3;
  int int1;
  int int2;
  void *ctxt;
  void *node;
} cxml2_error;

/* The callbacks for the parts of a document; with the places of those that are not used. */
typedef struct {
  void (*internalSubset)(void *user, const unsigned char *name, const unsigned char *external,
                         const unsigned char *system);
  void *until_characters[16];
  void (*characters)(void *user, const unsigned char *text, int length);
  void (*ignorableWhitespace)(void *user, const unsigned char *text, int length);
  void *until_cdata[6];
  void (*cdataBlock)(void *user, const unsigned char *text, int length);
  void *externalSubset;
  unsigned int initialized;
  void *_private;
  void (*startElementNs)(void *user, const unsigned char *local, const unsigned char *prefix,
                         const unsigned char *address, int namespace_count,
                         const unsigned char **namespaces, int attribute_count,
                         int default_count, const unsigned char **attributes);
  void (*endElementNs)(void *user, const unsigned char *local, const unsigned char *prefix,
                       const unsigned char *address);
  void (*serror)(void *user, cxml2_error *error);
} cxml2_handler;

#ifndef __XML_PARSER_H__
typedef unsigned char xmlChar;
typedef int xmlCharEncoding;
typedef struct _xmlDict *xmlDictPtr;
typedef struct _xmlDoc *xmlDocPtr;
typedef struct _xmlParserCtxt *xmlParserCtxtPtr;
typedef cxml2_entity htmlEntityDesc;
typedef cxml2_error xmlError;
typedef cxml2_handler xmlSAXHandler;
typedef void (*xmlGenericErrorFunc)(void *context, const char *message, ...);
#endif

/* Constants, with the values that the library's binary interface gives them. */
enum {
  CXML2_CHAR_ENCODING_UTF8 = 1,
  CXML2_ERR_DOCUMENT_END = 5,
  CXML2_ERR_TAG_NAME_MISMATCH = 76,
  CXML2_ERR_TAG_NOT_FINISHED = 77,
  CXML2_ERR_UNDECLARED_ENTITY = 26,
  CXML2_ERR_WARNING = 1,
  CXML2_NS_ERR_UNDEFINED_NAMESPACE = 201,
  CXML2_PARSE_IGNORE_ENC = 1 << 21,
  CXML2_PARSE_NONET = 1 << 11,
  CXML2_PARSE_RECOVER = 1 << 0,
  CXML2_WAR_NS_URI = 99
};

/* `initialized` of a handler whose startElementNs and endElementNs are called. */
static const unsigned int cxml2_sax2_magic = 0xDEEDBEAF;

const htmlEntityDesc *htmlEntityLookup(const xmlChar *name);
xmlParserCtxtPtr xmlCreatePushParserCtxt(xmlSAXHandler *handler, void *user, const char *bytes,
                                         int count, const char *name);
int xmlCtxtUseOptions(xmlParserCtxtPtr context, int options);
size_t xmlDictGetUsage(xmlDictPtr dictionary);
void xmlFreeDoc(xmlDocPtr document);
void xmlFreeParserCtxt(xmlParserCtxtPtr context);
void xmlInitParser(void);
int xmlParseChunk(xmlParserCtxtPtr context, const char *bytes, int count, int isLast);
void xmlSetGenericErrorFunc(void *context, xmlGenericErrorFunc function);
int xmlSwitchEncoding(xmlParserCtxtPtr context, xmlCharEncoding encoding);

/* Loads the library for the rest of the process; NULL, or why it is not there. From any thread. */
const char *cxml2_load(void);

/* Some complaints of libxml2 go around the structured handler, to standard error. The setting belongs
 * to the thread, so it is made before each call that may complain. */
void cxml2_be_quiet(void);

/* How many bytes the names take that a parser has met. */
size_t cxml2_name_bytes(xmlParserCtxtPtr context);

/* Frees a parser, and the document that a document type declaration makes, however little of it is
 * asked for. */
void cxml2_free(xmlParserCtxtPtr context);

#endif
