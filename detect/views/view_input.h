/* What a view is made of. */
#ifndef SCA_DETECT_VIEW_INPUT_H
#define SCA_DETECT_VIEW_INPUT_H

#include "base/settings.h"
#include "views/table.h"

struct sca_rank_summary;
struct sca_view_input {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_settings *settings;
    uint32_t top; /* rows shown, 0 for all */
    /* Per run and vertex, core-seconds that ranks waited: replayed, of runs whose ranks shared
     * cores; NULL of others, or if there are none. */
    const double *const *waits;
    /* Of the last run, whose ranks have no tables then; NULL: they have. */
    const struct sca_rank_summary *summary;
};

#endif
