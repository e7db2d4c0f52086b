#ifndef GALLERY_CXML2_SHIM_H
#define GALLERY_CXML2_SHIM_H

// Debian builds libxml2 with ICU, whose headers clash with the copy that Foundation brings along.
// All they are used for here are two fields of a structure that nobody looks into.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// A macro whose type Swift would have to guess.
static const unsigned int cxml2_sax2_magic = XML_SAX2_MAGIC;

// Variadic, so it cannot be written in Swift.
static inline void cxml2_drop_message(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

// Some complaints of libxml2 go around the structured handler, to standard error. The setting
// belongs to the thread, so it is made before each call that may complain.
static inline void cxml2_be_quiet(void) {
  xmlSetGenericErrorFunc(NULL, cxml2_drop_message);
}

#endif
