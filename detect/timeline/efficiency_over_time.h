/*
 * POP's efficiencies (pop-coe.eu) of a part of a series: parallel efficiency = load balance x
 * communication efficiency, and that = serialisation x transfer. Load balance and communication
 * are measured over all iterations of the part; serialisation is that of the recorded ones in
 * virtual time (recorded.h), and transfer is what is left.
 *
 * Where ranks shared cores time in MPI is mostly scheduling: transfer is not known, communication
 * is serialisation, and parallel efficiency is that with a core for each rank.
 */
#ifndef SCA_DETECT_EFFICIENCY_OVER_TIME_H
#define SCA_DETECT_EFFICIENCY_OVER_TIME_H

#include "series/clusters.h"
#include "timeline/recorded.h"

#include <stdbool.h>

struct sca_part_efficiency { /* NAN: not known */
    double load_balance, serialisation, transfer, communication, parallel;
    double recorded; /* iterations that serialisation is taken from */
};

struct sca_part_efficiency sca_part_efficiency_of(double own_mean, double own_max, double span,
                                                  bool shared,
                                                  const struct sca_recorded_point *recorded);

struct sca_part_efficiency sca_cluster_efficiency(const struct sca_series_cluster *cluster,
                                                  bool shared,
                                                  const struct sca_recorded_point *recorded);

/* Of a point (of all of the series) by its own recorded iterations; without any, by those of its
 * cluster. */
struct sca_part_efficiency sca_point_efficiency(const struct sca_recorded *all, uint32_t point,
                                                bool shared,
                                                const struct sca_recorded_point *cluster);

/* Of a phase that the program names, by the iterations in it. A phase that is a part of each
 * iteration has none. */
struct sca_part_efficiency sca_phase_efficiency(const struct sca_recorded *all, uint32_t phase,
                                                bool shared);

#endif
