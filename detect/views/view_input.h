/* What a view is made of. */
#ifndef SCA_DETECT_VIEW_INPUT_H
#define SCA_DETECT_VIEW_INPUT_H

#include "base/settings.h"
#include "views/table.h"

struct sca_view_input {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_settings *settings;
    uint32_t top; /* rows shown, 0 for all */
    /* Per vertex, core-seconds that ranks waited: replayed, where they shared cores; else NULL. */
    const double *waits;
};

#endif
