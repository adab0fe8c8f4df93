/*
 * POP's efficiencies of recorded iterations (pop-coe.eu), as they are replayed: on an ideal
 * network, a core for each rank. Load balance is mean / max of the ranks' computation,
 * serialisation the most computation / duration; parallel efficiency, but for transfer, is the
 * product.
 */
#ifndef SCA_DETECT_WINDOW_EFFICIENCY_H
#define SCA_DETECT_WINDOW_EFFICIENCY_H

#include "replay/replay.h"

struct sca_window_efficiency { /* NAN: nothing was computed */
    double load_balance, serialisation;
};

/* Of a replay that has run, as it stands. */
struct sca_window_efficiency sca_window_efficiency_of(const struct sca_replay *replay);

#endif
