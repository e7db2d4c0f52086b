#include "CXML2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* libxml2's functions, as far as they are used: each hands its call on to the library. Without it each
 * gives what its kind of failure is. */

/* F(type, name, parameters, arguments, result without the library) for each function. */
#define CXML2_FUNCTIONS(F) \
  F(const htmlEntityDesc *, htmlEntityLookup, (const xmlChar *name), (name), NULL) \
  F(xmlParserCtxtPtr, xmlCreatePushParserCtxt, \
    (xmlSAXHandler *handler, void *user, const char *bytes, int count, const char *name), \
    (handler, user, bytes, count, name), NULL) \
  F(int, xmlCtxtUseOptions, (xmlParserCtxtPtr context, int options), (context, options), -1) \
  F(size_t, xmlDictGetUsage, (xmlDictPtr dictionary), (dictionary), 0) \
  F(void, xmlFreeDoc, (xmlDocPtr document), (document), (void)0) \
  F(void, xmlFreeParserCtxt, (xmlParserCtxtPtr context), (context), (void)0) \
  F(void, xmlInitParser, (void), (), (void)0) \
  F(int, xmlParseChunk, (xmlParserCtxtPtr context, const char *bytes, int count, int isLast), \
    (context, bytes, count, isLast), -1) \
  F(void, xmlSetGenericErrorFunc, (void *context, xmlGenericErrorFunc function), \
    (context, function), (void)0) \
  F(int, xmlSwitchEncoding, (xmlParserCtxtPtr context, xmlCharEncoding encoding), \
    (context, encoding), -1)

#define CXML2_MEMBER(type, name, ...) __typeof__(name) *name;
static struct {
  CXML2_FUNCTIONS(CXML2_MEMBER)
} cxml2_library;

static const char *cxml2_problem;
static pthread_once_t cxml2_once = PTHREAD_ONCE_INIT;

#define CXML2_FIND(type, name, ...) \
  cxml2_library.name = (__typeof__(cxml2_library.name))dlsym(library, #name); \
  if(!cxml2_library.name) return;

/* Under the names that its versions before and from 2.14 on have, which are the same as far as they are
 * used here; where neither is there, the first name's reason is kept. */
static void *cxml2_open(void)
{
  void *library = dlopen("libxml2.so.2", RTLD_LAZY | RTLD_LOCAL);
  if(library) return library;
  const char *reason = dlerror();
  cxml2_problem = reason ? strdup(reason) : NULL;
  if(!cxml2_problem) cxml2_problem = "it cannot be loaded";
  return dlopen("libxml2.so.16", RTLD_LAZY | RTLD_LOCAL);
}

static void cxml2_find(void)
{
  void *library = cxml2_open();
  if(!library) return;
  cxml2_problem = "one of its functions is missing";
  CXML2_FUNCTIONS(CXML2_FIND)
  cxml2_library.xmlInitParser();
  cxml2_problem = NULL;
}

const char *cxml2_load(void)
{
  pthread_once(&cxml2_once, cxml2_find);
  return cxml2_problem;
}

/* Hidden, so that nobody takes them for the library's own, least of all the library. */
#define CXML2_DEFINE(type, name, parameters, arguments, failure) \
  __attribute__((visibility("hidden"))) type name parameters \
  { \
    if(cxml2_load()) return failure; \
    return cxml2_library.name arguments; \
  }

CXML2_FUNCTIONS(CXML2_DEFINE)

/* Variadic, so it cannot be written in Swift. */
static void cxml2_drop_message(void *context, const char *message, ...)
{
  (void)context;
  (void)message;
}

void cxml2_be_quiet(void)
{
  xmlSetGenericErrorFunc(NULL, cxml2_drop_message);
}

/* The members of the library's struct _xmlParserCtxt that are looked at, in their places. */
struct cxml2_context {
  void *sax;
  void *userData;
  xmlDocPtr myDoc;
  char between[432];
  xmlDictPtr dict;
};

size_t cxml2_name_bytes(xmlParserCtxtPtr context)
{
  return xmlDictGetUsage(((struct cxml2_context *)context)->dict);
}

void cxml2_free(xmlParserCtxtPtr context)
{
  xmlDocPtr document = ((struct cxml2_context *)context)->myDoc;
  if(document) xmlFreeDoc(document);
  xmlFreeParserCtxt(context);
}

#ifdef __XML_PARSER_H__
#define CXML2_SAME(name) _Static_assert((int)CXML2_##name == (int)XML_##name, #name)
#define CXML2_SAME_PLACE(one, other, member) \
  _Static_assert(offsetof(one, member) == offsetof(other, member), #member)
CXML2_SAME(CHAR_ENCODING_UTF8);
CXML2_SAME(ERR_DOCUMENT_END);
CXML2_SAME(ERR_TAG_NAME_MISMATCH);
CXML2_SAME(ERR_TAG_NOT_FINISHED);
CXML2_SAME(ERR_WARNING);
CXML2_SAME(PARSE_IGNORE_ENC);
CXML2_SAME(PARSE_NONET);
CXML2_SAME(PARSE_RECOVER);
CXML2_SAME(WAR_NS_URI);
_Static_assert(XML_SAX2_MAGIC == 0xDEEDBEAF, "XML_SAX2_MAGIC");
CXML2_SAME_PLACE(cxml2_entity, htmlEntityDesc, value);
CXML2_SAME_PLACE(cxml2_error, xmlError, code);
CXML2_SAME_PLACE(cxml2_error, xmlError, message);
CXML2_SAME_PLACE(cxml2_error, xmlError, level);
CXML2_SAME_PLACE(cxml2_error, xmlError, line);
CXML2_SAME_PLACE(cxml2_error, xmlError, str2);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, internalSubset);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, characters);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, ignorableWhitespace);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, cdataBlock);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, initialized);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, startElementNs);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, endElementNs);
CXML2_SAME_PLACE(cxml2_handler, xmlSAXHandler, serror);
CXML2_SAME_PLACE(struct cxml2_context, xmlParserCtxt, myDoc);
CXML2_SAME_PLACE(struct cxml2_context, xmlParserCtxt, dict);
_Static_assert(sizeof(cxml2_handler) == sizeof(xmlSAXHandler), "xmlSAXHandler");
#endif
