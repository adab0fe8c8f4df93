/*
 * Comparing two runs, also of two builds: before and after a fix. Either side is a run directory
 * or a report that was kept (its binary may be gone). Vertices are matched from the root down: by
 * kind, name, function and line; what is left by the number of lines instead of the line; the rest
 * by neither, as long as the order in the source stays the same.
 */
#ifndef SCA_DETECT_DIFF_H
#define SCA_DETECT_DIFF_H

#include "base/settings.h"
#include "sca_report.h"
#include "views/table.h"

struct sca_diff_side {
    const char *name, *program; /* where it came from */
    uint32_t ranks, nvertices;
    double wall;                           /* seconds of the longest rank */
    double virtual_wall;                   /* as if each rank had a core; 0: not known */
    bool shared;                           /* ranks shared cores, or a busy machine */
    const struct sca_ppg_vertex *vertices; /* preorder */
    double *own;      /* per vertex, core-seconds: computation or time in MPI */
    double *replayed; /* the same with replayed waits for the time in MPI; NULL: not known */
    double core_s;    /* ranks x duration, as the report's account has it; 0: not known */
    double step_ns;   /* how slow its core is (struct sca_report_run); 0: not known */
    double by_chance; /* of it, replayed: waits for what sharing cores adds to single intervals */
    struct sca_report *report; /* what it holds, see sca_diff_close(); NULL: made by hand */
};

/* A run directory is analysed. SCA_OK or SCA_E... with a message. What it needs lives in the
 * workspace. */
int sca_diff_open(struct sca_workspace *space, const char *operand,
                  const struct sca_settings *settings, struct sca_diff_side *out);
void sca_diff_close(struct sca_diff_side *side);

/* Per vertex of `before`: the vertex of `after` that it became, SCA_NONE if there is none. */
uint32_t *sca_diff_match(struct sca_workspace *space, const struct sca_diff_side *before,
                         const struct sca_diff_side *after);

/* SCA_EINVAL with a message where the two are not one program: neither its name nor the functions
 * and source files that most of the time is in agree. */
int sca_diff_check(struct sca_workspace *space, const struct sca_diff_side *before,
                   const struct sca_diff_side *after);

/* How many times as long the cores after took for the same cycles as those before; 1 where that is
 * not known, or within what measurements of one core differ by. */
double sca_diff_slower(const struct sca_diff_side *before, const struct sca_diff_side *after);
/* As if the cores after had been as fast as those before: all its seconds are divided. Waits come
 * from computation, and are divided with it. */
void sca_diff_divide(struct sca_diff_side *after, double slower);

struct sca_diff_sides { /* both with a report */
    const struct sca_diff_side *before, *after;
    const uint32_t *to; /* as sca_diff_match() has it */
};

struct sca_diff_fate {                  /* of a cause of the report before */
    const struct sca_report_cause *now; /* what stands for it after; NULL: nothing */
    const char *state; /* gone|smaller|unchanged|larger|not confirmed|not reported (nothing says
                          so, but its ranks still take longer there). On another number of ranks
                          gains do not compare: both|before only|not confirmed */
    double still_s;    /* of "not reported": core-seconds by which they do */
    bool mended;       /* less of it remains than was */
};

/* The cause after, confirmed or not, that stands for cause `i` before: at its place, or in a loop
 * within or around it and of its category. NULL: none. */
const struct sca_report_cause *sca_diff_successor(const struct sca_diff_sides *sides, uint32_t i);
struct sca_diff_fate sca_diff_fate(const struct sca_diff_sides *sides, uint32_t i);
/* A cause before, confirmed or not, that is like it; a confirmed one if there is. NULL: none. */
const struct sca_report_cause *sca_diff_predecessor(const struct sca_diff_sides *sides,
                                                    const struct sca_report_cause *now);

/* Did it help? A table of sentences (labels): each cause before with what became of it, what
 * mending it promised, and what the whole program obtained. NULL: a side has no report. */
const struct sca_table *sca_diff_answer(const struct sca_diff_side *before,
                                        const struct sca_diff_side *after,
                                        struct sca_workspace *space);

/* The rows add up to the first one. `top` rows with the greatest change, 0 for all. Where ranks
 * shared cores and both sides are reports, the sides' replayed times are compared and become their
 * own. */
void sca_diff_view(struct sca_diff_side *before, struct sca_diff_side *after, uint32_t top,
                   struct sca_table *out);

#endif
