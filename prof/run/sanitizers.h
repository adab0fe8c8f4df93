/*
 * Sanitizers' runtime libraries (libasan and its kind) that a program is linked with. They must be
 * in the process before what is preloaded, or end the program. For the launcher alone.
 */
#ifndef SCA_PROF_SANITIZERS_H
#define SCA_PROF_SANITIZERS_H

#include <stddef.h>

/* Their names as the program has them, a colon behind each; "" if there are none, it is no ELF file
 * or has not enough room. */
void sca_sanitizers_of(const char *path, char *out, size_t size);

#endif
