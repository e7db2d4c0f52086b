#ifndef GALLERY_CFUZZER_SHIM_H
#define GALLERY_CFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer has no header for its use as a library
// (https://llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

#endif
