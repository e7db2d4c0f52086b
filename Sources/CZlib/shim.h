#ifndef GALLERY_CZLIB_SHIM_H
#define GALLERY_CZLIB_SHIM_H

#include <zlib.h>

// A macro. The window is the largest there is; 16 more asks for the header and check of gzip.
static inline int czlib_begin_gzip(z_stream *stream) {
  return inflateInit2(stream, MAX_WBITS + 16);
}

#endif
