#include "trace/probed.h"
#include "graph/mpi_function.h"

#include <string.h>

/* NULL: none of the profile's. */
static const char *function_of(const struct sca_profile *profile,
                               const struct sca_event_sequence *sequence, uint32_t event)
{
    uint32_t site = sequence->sites[event + 1];
    return site < profile->nsites ? profile->sites[site].function : NULL;
}

/* The probe that the event is a receive behind; SCA_NO_EVENT. */
static uint32_t probe_before(const struct sca_profile *profile,
                             const struct sca_event_sequence *sequence, uint32_t event)
{
    while (event-- > 0) {
        const char *function = function_of(profile, sequence, event);
        if (function && !strcmp(function, "MPI_Probe"))
            return event;
        if (!function || !sca_mpi_function_is_local(function))
            break;
    }
    return SCA_NO_EVENT;
}

void sca_probed_receives(const struct sca_profile *profile, struct sca_event_sequence *sequence)
{
    for (uint32_t k = 1; k < sequence->nops; k++) {
        struct sca_replay_trace_op *posted = &sequence->ops[k - 1], *done = &sequence->ops[k];
        if (done->kind != SCA_OP_RECV || posted->kind != SCA_OP_RECV_POST ||
            posted->event != done->event)
            continue;
        uint32_t probe = probe_before(profile, sequence, done->event);
        if (probe == SCA_NO_EVENT)
            continue;
        struct sca_replay_trace_op moved = *done;
        moved.event = probe;
        *done = *posted;
        *posted = moved;
    }
}
