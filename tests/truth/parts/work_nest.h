/* A nest of loops: an outer one over blocks, with work of its own between two inner ones. Way
 * `nest`. */
#ifndef WORK_NEST_H
#define WORK_NEST_H

enum { NEST_BLOCK = 64, NEST_FIRST = 24, NEST_OWN = 16 };

#define NEST_END(begin, end) ((begin) + NEST_BLOCK < (end) ? (begin) + NEST_BLOCK : (end))
#define FOUR_TIMES(work)     work work work work

#endif
