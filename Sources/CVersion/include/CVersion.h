#pragma once

/// The commit that the program was built from, as `COUNT.gHASH DATE`: the number of commits up to it, the beginning of
/// its hash, and its day (ISO 8601). Empty when the build does not know it.
const char *cversion_commit(void);
