/*
 * SCALANA_BUDGET: the library's own cost, samples and calls together, as a part of the CPU time the
 * process takes. Looked at every tenth of a second of CPU time; while it is above the budget,
 * samples become rarer, step by step. Exact counts are never given up, so calls that follow each
 * other faster than the budget allows exceed it; far beyond it (MUCH times), windows become rarer
 * too.
 */
#ifndef SCA_PROF_BUDGET_H
#define SCA_PROF_BUDGET_H

#include <stdint.h>

void sca_budget_begin(void);
/* State lock held; any thread, not in a handler. Cheap unless it is time to look. */
void sca_budget_look(uint64_t now_ns);
/* Metadata of what was given up. */
void sca_budget_end(void);

#endif
