/*
 * What the sampler's backends have in common. A backend makes a signal come to a thread every so
 * many units of its CPU time and calls sca_sampler_hit() from the handler. For sampler*.c alone.
 */
#ifndef SCA_PROF_SAMPLER_BACKEND_H
#define SCA_PROF_SAMPLER_BACKEND_H

#include "sca_part.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { SCA_PAPI_SAYS = 128 };

struct sca_metric {
    char name[64];
    bool counted;
};

struct sca_sampling {
    unsigned frequency;
    unsigned nmetrics; /* asked for; the counted ones come first in records, in this order */
    struct sca_metric metric[SCA_MAX_METRICS];
    bool in_vain;                    /* none of them exists here, */
    char why_in_vain[SCA_PAPI_SAYS]; /* as PAPI says; empty: it does not */
    bool whole;                      /* count all that exist, or refuse */
    bool multiplexed;                /* a backend's answer: counts are estimates */
    uint64_t outside_ns; /* and: what a sample costs outside its handler; else as any signal */
    /* How the calling thread's counters are read; NULL: there are none. */
    bool (*read_counters)(uint64_t counters[SCA_MAX_METRICS]);
};

struct sca_backend {
    const char *name;
    /* 0, or why it cannot be used here. Also starts the calling thread. */
    const char *(*start)(struct sca_sampling *sampling);
    bool (*thread_start)(void);
    void (*thread_stop)(void);
    bool
        follows_rate; /* a sample stands for as many periods as sampler_rate.h says; else for one */
    bool sees_kernel; /* its samples come from the kernel as well */
    /* The calling thread waits, or goes on; NULL: that would save nothing. */
    void (*pause)(bool paused);
    void (*part)(void); /* it goes on with something longer; NULL with that, too */
};

/* By PAPI, which counts metrics beside: cycles, task clock. Without: the task clock, a timer. */
extern const struct sca_backend sca_backend_cycles, sca_backend_task_clock,
    sca_backend_kernel_clock, sca_backend_timer, sca_backend_multiplexed_clock,
    sca_backend_multiplexed_timer;

/* True where none of the chosen metrics exists: then PAPI has been closed again, and has said why.
 */
bool sca_papi_probe_is_in_vain(struct sca_sampling *sampling);

/* What the kernel takes to deliver a signal to its own thread and to return from it: the least of
 * a few. 0 if it could not be tried. */
uint64_t sca_sampler_signal_cost_ns(void);

/* Add to the library's own cost what was done since then, or a signal whose handler began then. */
void sca_sampler_spent(uint64_t begin_ns);
void sca_sampler_count_signal(uint64_t begin_ns);

/* A timer on that clock, not yet set, that sends the signal with `mark` to the thread. */
bool sca_sampler_signal_timer(clockid_t clock, int tid, int number, const void *mark, timer_t *out);

/* Any number, for the calling thread. */
uint64_t sca_sampler_distance_random(void);

/* From a sample to the next: half a period to one and a half, the period on average. */
uint64_t sca_sampler_distance(uint64_t period);

/* Samples another thread by a timer, whatever the backend: those that were there before sampling.
 */
bool sca_sampler_timer_adopt(int tid, void **handle, unsigned frequency);
void sca_sampler_timer_drop(void *handle);

/* In the handler: a sample that stands for `periods` periods, and the counters as they are now
 * (since this thread was started), or NULL. */
void sca_sampler_hit(const void *ucontext, unsigned periods,
                     bool (*read_counters)(uint64_t counters[SCA_MAX_METRICS]));

/* In a handler that began then: the thread was in the kernel, for so many periods, or for none. */
void sca_sampler_hit_in_kernel(const void *ucontext, unsigned periods, uint64_t begin_ns);

#endif
