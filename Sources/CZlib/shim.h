#ifndef GALLERY_CZLIB_SHIM_H
#define GALLERY_CZLIB_SHIM_H

#include <zlib.h>

// A function, because inflateInit2 is a macro. The window has the largest size; adding 16 selects the format gzip.
static inline int czlib_begin_gzip(z_stream *stream) {
  return inflateInit2(stream, MAX_WBITS + 16);
}

#endif
