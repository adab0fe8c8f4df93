/*
 * What a look found, in words. Texts are the caller's to free; NULL without memory.
 */
#ifndef SCA_TELL_H
#define SCA_TELL_H

#include "waits/hangs.h"

/* "0.4 s", "340 s", "12 min", "3.5 h". */
void sca_tell_duration(double s, char *text, size_t size);
/* "hangs.c:64": file without folders, and line; the function, or "unknown code". */
char *sca_tell_place(const struct sca_look *look, uint32_t context);
/* "computing at hangs.c:64 (loop in crunch)", "in MPI_Recv at hangs.c:47", ... */
char *sca_tell_doing(const struct sca_look *look, uint32_t rank);
/* Only a sample of the computation that is under way says where the rank is. */
bool sca_tell_is_sampled(const struct sca_rank_now *rank);
/* "MPI_COMM_WORLD", "a communicator of MPI_Comm_split (2 ranks)" */
char *sca_tell_group(const struct sca_look *look, uint32_t group);
/* Whom it waits for: "rank 1, tag 7", "3 of 4 ranks of MPI_COMM_WORLD"; "" if for nobody known. */
char *sca_tell_awaited(const struct sca_look *look, const struct sca_hangs *hangs, uint32_t rank);
/* "computing", "late" (it computes, and others wait for it), "waiting", "in MPI", "finished",
 * "ended", "unknown": one word for each rank. */
const char *sca_tell_state(const struct sca_look *look, const struct sca_hangs *hangs,
                           uint32_t rank);

/* Sentences on what hangs and who is waited for, one after the other: the worst first. Such with
 * `alarm` are defects, the others states that a healthy program has as well. NULL: no more. */
char *sca_tell_hang(const struct sca_look *look, const struct sca_hangs *hangs, uint32_t number,
                    bool *alarm);
/* "running since 2026-11-28 14:05 (12 min so far)", "broke off after 12 s", ... */
char *sca_tell_run(const struct sca_look *look);

#endif
