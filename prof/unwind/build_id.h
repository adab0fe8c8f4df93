/*
 * The GNU build-id of a loaded module, read from memory: the file on disk may be another one by
 * now. Reads only the module's own mapping, [first, last). Async-signal-safe, any thread.
 */
#ifndef SCA_PROF_BUILD_ID_H
#define SCA_PROF_BUILD_ID_H

#include <stdint.h>

enum { SCA_BUILD_ID = 32 }; /* bytes at most, as records hold; longer ones are cut */

/* Its bytes into `id`; their number, 0 if there is none. `bias`: address - file address. */
uint32_t sca_build_id(uint64_t first, uint64_t last, uint64_t bias, uint8_t id[SCA_BUILD_ID]);

#endif
