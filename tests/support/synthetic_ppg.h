/*
 * Performance graphs made by a test, without binaries or run directories.
 *
 *     struct model *m = model_new();
 *     uint32_t loop = model_vertex(m, 0, SCA_LOOP, "", "solve", 12);  // in preorder
 *     uint32_t wait = model_vertex(m, 0, SCA_MPI, "MPI_Barrier", "main", 20);
 *     uint32_t run = model_run(m, 4);
 *     uint32_t site = model_site(m, run, wait);
 *     model_work(m, run, 2, 0, site, 10, loop, 1.5);  // rank 2, site 0 -> site, 10 times, 1.5 s
 *     model_collective(m, run, 2, site, -1, 10);
 *     const struct sca_ppg *ppg = model_ppg(m);
 *     model_free(m);
 *
 * All storage is fixed and generous; exceeding it aborts the test.
 */
#ifndef SCA_TEST_SYNTHETIC_PPG_H
#define SCA_TEST_SYNTHETIC_PPG_H

#include "graph/ppg.h"

struct model;

struct model *model_new(void);
void model_free(struct model *m);
uint32_t model_vertex(struct model *m, uint32_t parent, uint32_t kind, const char *name,
                      const char *function, uint32_t line);
uint32_t model_run(struct model *m, uint32_t nranks);
void model_meta(struct model *m, uint32_t run, const char *key, const char *value);
/* The user tells its problem size. */
void model_told(struct model *m, uint32_t run, double work);
uint32_t model_site(struct model *m, uint32_t run, uint32_t vertex);
/* The site is of a further thread of each rank. */
void model_thread(struct model *m, uint32_t run, uint32_t site, uint16_t thread);
/* Adds computation of `vertex` to the interval previous -> site: it happened `count` times (the
 * largest count given for an interval counts), `seconds` in total, 1,000 samples a second. */
void model_work(struct model *m, uint32_t run, uint32_t rank, uint32_t previous, uint32_t site,
                uint64_t count, uint32_t vertex, double seconds);
/* Of an interval that has its work: so much was off the core, by the rank's own will, at most
 * `longest` at once. */
void model_blocked(struct model *m, uint32_t run, uint32_t rank, uint32_t previous, uint32_t site,
                   double seconds, double longest);
/* One rank (SCA_NONE: each) is sampled so often a second instead. */
void model_rare(struct model *m, uint32_t run, uint32_t rank, double hz);
void model_sent(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t peer,
                uint64_t count);
void model_received(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t peer,
                    uint64_t count);
void model_collective(struct model *m, uint32_t run, uint32_t rank, uint32_t site, int32_t root,
                      uint64_t count);
/* Calls at the site: how many, bytes in all, seconds of the shortest. */
void model_calls(struct model *m, uint32_t run, uint32_t rank, uint32_t site, uint64_t count,
                 uint64_t bytes, double shortest);
/* The shortest calls of the rank at its sites so far took no longer than that. */
void model_luck(struct model *m, uint32_t run, uint32_t rank, double shortest);
/* All ranks took that long. */
void model_wall(struct model *m, uint32_t run, double seconds);
/* Nothing is left of this rank. */
void model_lose(struct model *m, uint32_t run, uint32_t rank);
/* Completes and returns the graph; nothing may be added afterwards. */
const struct sca_ppg *model_ppg(struct model *m);
/* As it was completed. */
const struct sca_ppg *model_graph(const struct model *m);

#endif
