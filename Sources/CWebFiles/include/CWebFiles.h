#pragma once

#include <stddef.h>

/// A file that the program contains.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t length;
} CWebFile;

/// The files of `Sources/Web/Assets`, and their number.
const CWebFile *cwebfiles_assets(size_t *count);

/// The description of the API.
const CWebFile *cwebfiles_open_api(void);
