#ifndef GALLERY_CEXPAT_SHIM_H
#define GALLERY_CEXPAT_SHIM_H

#include <expat.h>

#endif
