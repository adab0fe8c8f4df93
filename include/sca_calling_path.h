/*
 * The calls around a vertex that belong to the program. Calls between the system's headers
 * (std::thread, std::sort) are omitted; a callback from there has the program's line that called
 * them.
 */
#ifndef SCA_CALLING_PATH_H
#define SCA_CALLING_PATH_H

#include "sca_report.h"

#include <stdbool.h>

enum { SCA_MOST_FRAMES = 32 };

struct sca_calling_frame {
    uint32_t vertex; /* the call, or the root */
    uint32_t site;   /* the call whose file and line are the program's; UINT32_MAX: none is */
};

/* Below /usr/include and the like, or a compiler's. */
bool sca_calling_path_is_system_file(const char *file);

/* Innermost first, at most so many; *whole: up to the root. Returns how many. */
uint32_t sca_calling_path_frames(const struct sca_report *report, uint32_t vertex, uint32_t most,
                                 struct sca_calling_frame *out, bool *whole);

#endif
