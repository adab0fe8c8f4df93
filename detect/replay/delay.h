/*
 * Why a rank waited in a replay: what the rank that it waited for computed more than itself since
 * the two last met, and what that one had itself waited for (delay costs: Boehme, Geimer, Wolf,
 * Arnold, ICPP 2010). The room's memory, for one replay that has run at a time; not re-entrant.
 */
#ifndef SCA_DETECT_DELAY_H
#define SCA_DETECT_DELAY_H

#include "measure/measure.h"
#include "replay/replay.h"

struct sca_delays {
    const struct sca_measure *m;
    const struct sca_replay *replay;
    const struct sca_replay_links *links;
    /* Of the wait at hand. Per vertex: computation of the rank waited for minus the waiting one's,
     * for the vertices listed in `touched`. */
    double *surplus;
    uint32_t *touched, ntouched;
    bool *is_touched;
};

struct sca_delay {
    double own;              /* seconds the event waited */
    uint32_t by, rank;       /* the event that ended the wait, and its rank */
    double since;            /* when the two ranks had last met */
    double computed, waited; /* the rank's positive surplus, and its own waits since then */
    bool explained;          /* by these two */
};

void sca_delay_open(struct sca_workspace *space, const struct sca_measure *m,
                    const struct sca_replay *replay, struct sca_delays *out);
/* To another replay of the same run. */
void sca_delay_turn_to(struct sca_delays *delays, const struct sca_replay *replay);
/* False: the event did not wait. Else fills `own` to `since`. */
bool sca_delay_find(struct sca_delays *delays, uint32_t event, struct sca_delay *out);
/* Fills the rest; the surplus is that of the event until the next call. */
void sca_delay_explain(struct sca_delays *delays, uint32_t event, struct sca_delay *delay);
/* The delaying rank's own waits that `waited` sums up, latest first: begin with *event = by.
 * Returns the seconds of the next one and its event; 0: there is none left. */
double sca_delay_next_wait(const struct sca_delays *delays, const struct sca_delay *delay,
                           uint32_t *event);

#endif
