/* Code without unwind tables, and pairs of functions that call it. */
#ifndef SUBJECT_BARE_H
#define SUBJECT_BARE_H

#include <stdint.h>

/* Calls back, with its own use of the stack and of rbp. */
typedef void shape(void (*back)(void));
shape bare_small, bare_large, bare_filled, bare_outer, jumps_on;
/* What bare_filled finds in its frame: return addresses of calls that are over. */
extern uintptr_t bare_left[2];
/* The test's. */
void back(void);

/* Calls a shape with back(); `through` is the shape where the name is that. Returns its own return
 * address. Light ones have no frame pointer, heavy ones do. */
typedef void *caller(shape *through);
caller light_bare_small, light_bare_large, light_bare_filled, light_bare_outer, light_jumps_on,
    light_through;
caller heavy_bare_small, heavy_bare_large, heavy_bare_filled, heavy_bare_outer, heavy_jumps_on,
    heavy_through;

#endif
