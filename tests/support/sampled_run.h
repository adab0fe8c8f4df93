/*
 * A run of a model (synthetic_ppg.h) whose times are divided by samples that a test gives, of 10 ms
 * each.
 *
 *     struct sampled_run s = {.model = m, .run = run};
 *     sampled_run_add(&s, 2, previous, site, node, 30);  // rank 2, 30 samples at that node
 *     sampled_run_divide(&s, node_vertex);                // metrics.h; the model is complete then
 *     sampled_run_seconds(&s, 2, previous, site, vertex);
 *     sampled_run_end(&s);                                // and the model
 */
#ifndef SCA_TEST_SAMPLED_RUN_H
#define SCA_TEST_SAMPLED_RUN_H

#include "sca_arena.h"
#include "synthetic_ppg.h"

enum { SAMPLED_RANKS = 8, SAMPLED_MOST = 8 };

struct sampled_run {
    struct model *model;
    uint32_t run;
    struct sca_part_sample samples[SAMPLED_RANKS][SAMPLED_MOST];
    uint32_t nsamples[SAMPLED_RANKS];
    struct sca_ppg_run divided;
    struct sca_arena arena;
};

void sampled_run_add(struct sampled_run *s, uint32_t rank, uint32_t previous, uint32_t site,
                     uint32_t node, uint64_t count);
/* Calls outside MPI took so long there (SCA_SAMPLE_BLOCKED), at the call
 * outside MPI that is the model's last site. */
void sampled_run_blocked(struct sampled_run *s, uint32_t rank, uint32_t previous, uint32_t site,
                         double seconds);
/* node_vertex: where samples at a node belong. */
void sampled_run_divide(struct sampled_run *s, uint32_t *node_vertex);
/* Of a rank on a way; 0: it has no such share. */
double sampled_run_seconds(const struct sampled_run *s, uint32_t rank, uint32_t previous,
                           uint32_t site, uint32_t vertex);
void sampled_run_end(struct sampled_run *s);

#endif
