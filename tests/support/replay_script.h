/*
 * One recorded window on every rank, written call by call, and its replay.
 *
 *     struct script *s = script_new(2);                       // at most 8 ranks
 *     uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
 *     uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
 *     script_work(s, 0, out, out, loop, 3);                   // what samples tell of the 3 s
 *     script_send(s, 0, 3, out, 1, 0);                        // 3 s, then message 0 to rank 1
 *     script_receive(s, 1, 1, in, 0, 0);
 *     struct played p;
 *     script_play(s, &p);
 *     played_left(&p, 1, 0);                                  // 3
 *     script_end(s, &p);
 */
#ifndef SCA_TEST_REPLAY_SCRIPT_H
#define SCA_TEST_REPLAY_SCRIPT_H

#include "measure/measure.h"
#include "replay/delay_cost.h"
#include "replay/replay.h"
#include "price/what_if.h"
#include "synthetic_ppg.h"
#include "trace/replay_trace.h"

enum { SCRIPT_RANKS = 24, SCRIPT_OPS = 4, SCRIPT_EVENTS = 64 };

struct script {
    struct model *model;
    uint32_t run, nranks;
    struct sca_window windows[SCRIPT_RANKS];
    struct sca_event events[SCRIPT_RANKS][SCRIPT_EVENTS];
    struct sca_op ops[SCRIPT_RANKS][SCRIPT_EVENTS * SCRIPT_OPS];
};

struct script *script_new(uint32_t nranks);
/* A vertex for a call, and its site. */
uint32_t script_site(struct script *s, const char *function, uint32_t line);
/* One instance of work of `vertex` between two sites, in the run's totals. */
void script_work(struct script *s, uint32_t rank, uint32_t after, uint32_t before, uint32_t vertex,
                 double seconds);
/* Rank r computes for `interval` seconds and calls site; what the call takes part in follows. */
void script_call(struct script *s, uint32_t r, double interval, uint32_t site);
void script_op(struct script *s, uint32_t r, struct sca_op op);
/* The same with its operation: message `n` to or from a rank, the n-th collective. */
void script_send(struct script *s, uint32_t r, double interval, uint32_t site, int32_t to,
                 uint64_t n);
void script_receive(struct script *s, uint32_t r, double interval, uint32_t site, int32_t from,
                    uint64_t n);
void script_collective(struct script *s, uint32_t r, double interval, uint32_t site, uint8_t shape,
                       int32_t root, uint64_t n);

struct played {
    struct sca_team team;
    struct sca_workspace space;
    struct sca_traces traces;
    struct sca_replay replay;
    struct sca_measure measure;
    struct sca_costs costs;
};

/* The model is complete then. */
void script_play(struct script *s, struct played *p);
/* Up to the traces only: nothing is measured, nor replayed. */
void script_traces(struct script *s, struct played *p);
void script_end(struct script *s, struct played *p);
/* The same as a stage of what-ifs (what_if.h), in `stage`; the rest of *s stays where it is. */
struct staged {
    struct played played; /* up to its traces */
    struct sca_workspace space;
    struct sca_measure measure;
    uint32_t *ends;
    struct sca_stage stage;
};
void script_stage(struct script *s, struct staged *out);
void staged_end(struct script *s, struct staged *staged);
/* When a rank left its manieth call. */
double played_left(const struct played *p, uint32_t rank, uint32_t i);
/* What others waited for that computation. */
double played_cost(const struct played *p, uint32_t vertex, uint32_t rank);

#endif
