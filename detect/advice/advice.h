/*
 * What may help in addition to the causes (A. Sikora et al., 2016, sections 3.4 and 5.6): patterns
 * in what ranks do whose change would save time, each with what it saves at most, by the replay or
 * by a model. Advice is never a cause: nothing here goes into the verdict. Core-seconds.
 */
#ifndef SCA_DETECT_ADVICE_H
#define SCA_DETECT_ADVICE_H

#include "verdict/analysis.h"

enum sca_advice_kind {
    SCA_ADVICE_SMALL_MESSAGES,  /* many small messages to one rank, one behind the other */
    SCA_ADVICE_LATE_RECEIVE,    /* senders wait for receives that are posted late */
    SCA_ADVICE_OVERLAP,         /* a blocking transfer, then computation that could run beside it */
    SCA_ADVICE_LATENCY,         /* a loop's messages explain its time in MPI: their number, */
    SCA_ADVICE_BANDWIDTH,       /* or their bytes */
    SCA_ADVICE_TOO_MANY_WORKERS /* of a master */
};

struct sca_advice {
    enum sca_advice_kind kind;
    uint32_t vertex;         /* the call, or the loop */
    uint32_t nranks, *ranks; /* rising */
    double gain;             /* at most */
    bool by_replay;          /* else by a model */
    const char *text;        /* a sentence */
};

struct sca_advices {
    uint32_t n;
    struct sca_advice *of; /* by gain, greatest first */
};

/* What is known of calls, for all kinds. */
struct sca_advice_input {
    struct sca_analysis *c;
    const struct sca_ppg_run *run;
    struct sca_opened *opened;
    const double *per_call; /* [rank * nsites + site] seconds of one call's transfer */
    double least;           /* what saves less is not said */
    const uint32_t *place;  /* [vertex]: the first one of the same line: call paths of one call */
};

/* All of the largest run, whose replays have been charged; none of runs of very many ranks. In the
 * analysis' workspace. */
void sca_advice_find(struct sca_analysis *c, struct sca_advices *out);

/* Inner seams of advice_*.c. Copies the ranks whose value is above 0, and the text; nothing if the
 * gain is too small. */
void sca_advice_add(const struct sca_advice_input *in, struct sca_advices *out,
                    const struct sca_advice *advice, const double *by_rank);
/* printf into the workspace. */
const char *sca_advice_text(const struct sca_advice_input *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "lu.f:40 MPI_Recv in blts" */
const char *sca_advice_place(const struct sca_advice_input *in, uint32_t vertex);
/* Seconds of waits at a vertex that the replay found, of one class, or of all
 * (SCA_WAIT_CLASSES). */
double sca_advice_waits(const struct sca_advice_input *in, uint32_t vertex, uint32_t wait_class);

void sca_advice_messages(const struct sca_advice_input *in, struct sca_advices *out);
void sca_advice_receives(const struct sca_advice_input *in, struct sca_advices *out);
void sca_advice_overlap(const struct sca_advice_input *in, struct sca_advices *out);
void sca_advice_volume(const struct sca_advice_input *in, struct sca_advices *out);
void sca_advice_workers(const struct sca_advice_input *in, struct sca_advices *out);

#endif
