/* What a reader must know to judge the report: plain sentences, in the order of weight. */
#ifndef SCA_DETECT_NOTES_H
#define SCA_DETECT_NOTES_H

#include "sca_phrase.h"
#include "verdict/analysis.h"

void sca_notes_fill(struct sca_analysis *c);

/* Those on what the runs' data are worth, and on what the runs cannot show. */
void sca_notes_of_runs(struct sca_analysis *c);

/* Whether strong or weak scaling is in doubt, and what each would mean. */
void sca_notes_of_scaling(struct sca_analysis *c);

/* Findings that are no causes, but told; of causes those that came once. */
void sca_notes_of_findings(struct sca_analysis *c);

/* Of a finding that is told but no cause: what is in doubt, and the run that would decide it; ""
 * where there is nothing to decide. */
const char *sca_notes_doubt(const struct sca_analysis *c, const struct sca_finding *aside);

/* What the replay cannot know, or has not: an order, waits for windows, waits that nobody is
 * charged with. */
void sca_notes_of_replay(struct sca_analysis *c);

/* Work that a rank hands out piece by piece. */
void sca_notes_of_served(struct sca_analysis *c);

/* What a cause that is named for a loop around MPI calls consists of. */
void sca_notes_of_parts(struct sca_analysis *c);

/* Waiting that is put down to shared cores, if it is much: where it comes from, and what would
 * tell. */
void sca_notes_of_disturbance(struct sca_analysis *c);

/* An iteration that took longer than all others together, while no rank computed. */
void sca_notes_of_standstill(struct sca_analysis *c);

/* notes_left.c: ranks that left their class over time (activity/class_leavers.h). */
void sca_notes_of_leavers(struct sca_analysis *c);
/* One of them in words, into `buffer`, which comes back. */
const char *sca_notes_leaver(char buffer[SCA_PHRASE], const struct sca_report_leaver *leaver);

/* Where ranks were blocked outside MPI, if it is much. */
void sca_notes_of_blocked(struct sca_analysis *c);

/* Ranks whose threads have fewer cores than threads compute at a time: by their binding, or because
 * there are no more. */
void sca_notes_of_threads(struct sca_analysis *c);

/* Few ranks that keep the others waiting for a good deal, though no cause and no other note names
 * them; else what all ranks wait for and no cause, certain or possible, is charged with. */
void sca_notes_of_waited(struct sca_analysis *c);

/* Ranks that wait for another MPI_COMM_WORLD, and where to find what that did. */
void sca_notes_of_worlds(struct sca_analysis *c);

/* How much of the samples lies on call paths that are not certain (uncertain.h) and where, which
 * causes rest on them, and which ranks have threads without samples. */
void sca_notes_of_uncertainty(struct sca_analysis *c);

/* Appends one; nothing more when there are very many. */
void sca_notes_add(struct sca_analysis *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
