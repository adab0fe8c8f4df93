/*
 * Where the core-seconds went: the account of each run and POP's efficiencies
 * (pop-coe.eu: parallel efficiency = load balance x communication efficiency).
 *
 * Ranks x duration = computation + time blocked outside MPI (off_cpu.h) + replayed waits, and
 * others + waits for another world, which are measured + waits for a core while others were idle +
 * transfers of communication that grows + the rest (other transfer, scheduling, the error of
 * sampling; signed). Our own cost was measured as part of the computation (samples are taken there,
 * and calls booked after their end), so it is shown beside what the program computed, not on top of
 * it. Where ranks shared cores (sca_measure.shared) the wall clock says nothing about the program:
 * the duration is then the replay's, as if each rank had had a core; waits for one that a better
 * binding takes away are added. It has only transfers of communication that grows: without any,
 * transfer efficiency is NAN, and communication efficiency is all serialisation.
 */
#ifndef SCA_DETECT_ACCOUNT_H
#define SCA_DETECT_ACCOUNT_H

#include "measure/measure.h"
#include "base/settings.h"
#include "price/stage.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_account {
    uint32_t ranks;
    bool is_virtual;
    double duration; /* seconds: wall, or virtual where ranks shared cores */
    double base;     /* ranks x duration, what shares are of */
    double useful, blocked, waits, other_world, transfer_time, rest, tool;
    double awaited; /* waits outside MPI for other ranks (load/awaited.h) that are not replayed */
    double queued;  /* waits for a core that a better binding takes away (measure/core_waits.h) */
    double parallel, load_balance, communication;
    double serialisation, transfer; /* of communication */
};

void sca_account_run(const struct sca_stage *stage, struct sca_account *out);

/* Computation scalability against the smallest run, of the useful computation of both. */
double sca_account_computation(double first, uint32_t first_ranks, double useful, uint32_t ranks,
                               enum sca_scaling mode);

#endif
