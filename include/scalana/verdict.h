/*
 * libscalana: the verdict: what is to blame, what it costs, and what the program gains without it.
 *
 * Findings are those of ScalAna's non-scalable and abnormal vertices with backtracking over the
 * graph (Jin et al., SC'20, section IV); what they cost others is the delay cost of a replay of the
 * communication (Boehme et al., ICPP 2010), and the gain is the difference of two replays.
 */
#ifndef SCALANA_VERDICT_H
#define SCALANA_VERDICT_H

#include "scalana/report.h"
#include "scalana/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Analyses the runs; the same runs and options give the same report. Of the options it takes
 * abnorm-thd, min-share, merge, scaling and progress; NULL: the defaults. On success *out is the
 * caller's, to be freed with scalana_report_free(); on failure it is NULL. One thread at a time for
 * the same runs; their graph may be read meanwhile. SCALANA_ENOMEM. */
int scalana_verdict_find(scalana_runs *runs, const scalana_options *options, scalana_report **out);

/* Causes are sorted by gain, greatest first; a healthy program has none. */
struct scalana_cause {
    uint32_t vertex;      /* of the report */
    const char *category; /* imbalance|serial|nonscalable|communication|contention; more may come */
    uint32_t nranks;      /* that are to blame */
    const uint32_t *ranks;
    double cost_core_s, cost_share; /* its own excess, and what others wait for it */
    double gain_core_s, gain_share; /* what fixing it saves */
    double direct_core_s,
        indirect_core_s; /* of the cost: waits for it, and for who waited for it */
    double ratio;       /* of the ranks to blame to the others, or of a rank's busiest thread to the
                           mean, or how many threads one of which does it; 0: does not apply */
    const char *others; /* have of it: none|some|less|in-turn, or how its threads
                           share it, threads|one-thread|lock, or cores (others than its own
                           are idle); "": does not apply */
    bool at_site;       /* only the call `site` leads to what is out of line */
    uint32_t site;
    bool between; /* known only as between two calls: the vertices `after` and `before` */
    uint32_t after, before;
    /* The function that is part of the place and has most of it; inner_share 0: there is none. Of
     * code without structure (inner_foreign) file and line are those of the call. */
    double inner_share;
    const char *inner_function, *inner_file;
    uint32_t inner_line;
    bool inner_inlined, inner_foreign;
    /* Seconds of it on each rank where they are not the vertex' own; nrank_s is 0 where they are.
     */
    uint32_t nrank_s;
    const double *rank_s;
    uint32_t nsymptoms;                       /* rows of scalana_cause_symptoms() */
    uint32_t npath;                           /* rows of scalana_cause_path() */
    double gain_low_core_s, gain_high_core_s; /* 95 % interval of gain_core_s */
    /* The hardware counter that tells why; "": none does. Of an imbalance: its events on each of
     * the ranks in the whole run, on average, and on each of the others. Of what does not scale
     * (counter_fewest > 0): on each rank of the largest run, on each of counter_fewest ranks in the
     * smallest, and what these promise for the largest. */
    const char *counter;
    double counter_each, counter_others_each;
    uint32_t counter_fewest;
    double counter_fewest_each, counter_expected_each;
    /* Saved if the work were shared out among all ranks instead of going away; 0: about as much. */
    double gain_shared_core_s;
    /* Where the gain is that of sharing it out: saved if its ranks took as long as the others. */
    double gain_alike_core_s;
    const char *doubt; /* why it is not confirmed; "": it is a cause */
};

/* Rows of causes; scalana_report_get() says how many there are. */
int scalana_report_causes(const scalana_report *report, uint32_t first, uint32_t count,
                          struct scalana_cause *out, size_t size);

/* Findings that may be causes, by gain, greatest first; scalana_summary.nunconfirmed counts them.
 * They have neither symptoms nor path; `doubt` says what is in doubt. Since version 1.3. */
int scalana_report_unconfirmed(const scalana_report *report, uint32_t first, uint32_t count,
                               struct scalana_cause *out, size_t size);

struct scalana_symptom { /* where others wait for it */
    uint32_t vertex;
    double wait_core_s;
};
int scalana_cause_symptoms(const scalana_report *report, uint32_t cause, uint32_t first,
                           uint32_t count, struct scalana_symptom *out, size_t size);

/* The chain of waits, from the worst symptom back to the cause. */
struct scalana_step {
    uint32_t vertex, rank;
    const char *via; /* how the walk came here: p2p|collective|data|control; "" for the first */
};
int scalana_cause_path(const scalana_report *report, uint32_t cause, uint32_t first, uint32_t count,
                       struct scalana_step *out, size_t size);

/* All backtracking paths (SC'20, Algorithm 1), those to no cause too: what does not scale first,
 * then by wait. */
struct scalana_path {
    const char *start; /* what its first vertex is: nonscalable|waiting|abnormal; more may come */
    double wait_s;     /* seconds of the wait that it begins with; 0: of a place alone */
    uint32_t cause;    /* it ends in that one; SCALANA_NONE: in none */
    uint32_t nsteps;   /* rows of scalana_path_steps() */
};
/* Reports of releases before 1.1 of this interface have none. */
int scalana_report_paths(const scalana_report *report, uint32_t first, uint32_t count,
                         struct scalana_path *out, size_t size);
int scalana_path_steps(const scalana_report *report, uint32_t path, uint32_t first, uint32_t count,
                       struct scalana_step *out, size_t size);

/* One line of text: "imbalance  cg.c:109 loop in conj_grad, rank 4: only on this rank".
 * At most `room` bytes with the final NUL are written to `text`; *length, if not NULL, is how many
 * the whole line has without it, so that it was cut where that is not below `room`. `text` may be
 * NULL where room is 0. */
int scalana_cause_text(const scalana_report *report, uint32_t cause, char *text, size_t room,
                       size_t *length);
/* The same of a row of scalana_report_unconfirmed(). */
int scalana_unconfirmed_text(const scalana_report *report, uint32_t unconfirmed, char *text,
                             size_t room, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
