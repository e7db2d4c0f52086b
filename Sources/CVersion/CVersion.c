#include "CVersion.h"

#ifndef GALLERY_COMMIT
#define GALLERY_COMMIT ""
#endif

const char *cversion_commit(void) { return GALLERY_COMMIT; }
