/*
 * Profiles made by a test, without running a program: build one call by call, then have it in
 * memory as the loader would give it, or as a run directory on disk.
 *
 *     struct synth *s = synth_new(4);                          // ranks
 *     uint32_t exe = synth_module(s, "/tmp/prog", "00ff");     // build-id in hex
 *     uint32_t main_ = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
 *     uint32_t send = synth_site(s, main_, "MPI_Send");
 *     synth_total(s, 2, send, 100, 5000, 800);                 // rank 2: calls, ns, bytes
 *     synth_interval(s, 2, 0, send, 100, 1000000);             // computation from site 0 to send
 *     synth_sample(s, 2, synth_node(s, main_, exe, 0x1140, SCA_NODE_PC), 0, false, 17);
 *     struct sca_profile *p = synth_profile(s);                // or synth_write(s, "dir")
 *     synth_free(s);                                           // p stays, sca_profile_free(p)
 *
 * Modules, call paths, sites and communicators are common to all ranks, and the indices handed
 * out are those of the loaded profile. Communicator 0 is the world, site 0 MPI_Init, node 0 the
 * root. Every rank starts finalized with a wall time of 1 s; synth_header() changes that.
 * Metadata has every key a run has. A failing system call or no memory aborts the test.
 */
#ifndef SCA_TEST_SYNTHETIC_H
#define SCA_TEST_SYNTHETIC_H

#include "sca_profile.h"

struct synth;

struct synth *synth_new(uint32_t nranks);
void synth_free(struct synth *s);

void synth_meta(struct synth *s, const char *key, const char *value);
void synth_rank_meta(struct synth *s, uint32_t rank, const char *key, const char *value);
uint32_t synth_module(struct synth *s, const char *path, const char *build_id);
uint32_t synth_node(struct synth *s, uint32_t parent, uint32_t module, uint64_t offset,
                    uint32_t kind); /* the same arguments give the same node */
uint32_t synth_site(struct synth *s, uint32_t node, const char *function);
uint32_t synth_comm(struct synth *s, uint64_t id, uint32_t size, const char *kind);
/* The rank's own place in it, and its words (doc/FORMATS.md). From here on the rank has
 * communicators of its own: what is added later, it has not. */
void synth_place(struct synth *s, uint32_t rank, uint32_t comm, uint32_t own_rank,
                 const char *words);

struct sca_part_header *synth_header(struct synth *s, uint32_t rank);
void synth_total(struct synth *s, uint32_t rank, uint32_t site, uint64_t count, uint64_t time_ns,
                 uint64_t bytes);
/* As synth_interval, `blocked_ns` of it off the core and `max_ns` in the longest. */
void synth_stalled(struct synth *s, uint32_t rank, uint32_t previous, uint32_t site, uint64_t count,
                   uint64_t wall_ns, uint64_t blocked_ns, uint64_t max_ns);
void synth_interval(struct synth *s, uint32_t rank, uint32_t previous, uint32_t site,
                    uint64_t count, uint64_t wall_ns);
void synth_sample(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous, bool in_mpi,
                  uint64_t count);
/* Outside MPI, of one of the rank's threads. */
void synth_sample_of(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous,
                     uint16_t thread, uint64_t count);
/* Outside MPI, and known to have led to the call at site `next`, in instances that took so long
 * together. */
void synth_sample_to(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous,
                     uint32_t next, uint64_t count, uint64_t length_ns);
/* Any record of the samples' table (enum sca_part_sample_kind). */
void synth_record(struct synth *s, uint32_t rank, const struct sca_part_sample *record);
/* Calls outside MPI that blocked (SCA_SAMPLE_BLOCKED), `length_ns` together, at a site's node. */
void synth_blocked(struct synth *s, uint32_t rank, uint32_t node, uint32_t previous, uint32_t next,
                   uint64_t count, uint64_t length_ns);
void synth_peer(struct synth *s, uint32_t rank, const struct sca_part_peer *peer);
void synth_collective(struct synth *s, uint32_t rank, const struct sca_part_collective *collective);
void synth_message(struct synth *s, uint32_t rank, const struct sca_part_message *message);

/* Its events and operations name sites and communicators as handed out above; intervals come back
 * to within 1 %. */
void synth_window(struct synth *s, uint32_t rank, const struct sca_window *window);

/* A directory with profile.sca; it may exist already. */
void synth_write(struct synth *s, const char *directory);
/* One rank-<N>.part in an existing directory, as a killed run leaves it. */
void synth_write_part(struct synth *s, uint32_t rank, const char *directory);
/* The loaded profile; its directory is gone again. */
struct sca_profile *synth_profile(struct synth *s);

#endif
