#ifndef UVDROP_MEMMEM_H
#define UVDROP_MEMMEM_H

#include <stddef.h>

// A GNU extension, so <string.h> does not declare it for Swift.
void *memmem(const void *haystack, size_t haystackLength, const void *needle, size_t needleLength);

#endif
