/*
 * Other runs as replicates of a finding: whether the ranks that correspond to its own take longer
 * there too, where its code runs, than the others. Which ranks is known beforehand, so that it is a
 * comparison of two groups by trimmed means and winsorized variances (Yuen, Biometrika 61, 1974;
 * the run's usual scatter counts as SCA_SEVERAL ranks more), and a run of four ranks of which two
 * are slow tells as well as any. What cores make falls on other ranks in another run.
 */
#ifndef SCA_DETECT_REPLICATE_H
#define SCA_DETECT_REPLICATE_H

#include "findings/finding.h"

struct sca_replicate {
    double effect, error;    /* how much longer, in units; one standard deviation */
    double unit;             /* the usual rank's work, seconds */
    double ratio;            /* of the place to the others'; 0: they have none */
    bool cores_known;        /* other code tells how fast those ranks' cores are */
    uint32_t nranks, *ranks; /* of the run, that correspond; ascending */
    double excess;           /* seconds, of all of them */
};

/* Of a finding of a run on `nranks`, in the run m, which may be the same one; of ways in which
 * ranks may correspond the one that shows most, in standard deviations. False: too few can be
 * compared, or none of them comes there. */
bool sca_replicate_ask(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_finding *finding, uint32_t nranks,
                       struct sca_replicate *out);

#endif
