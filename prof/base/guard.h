/*
 * Entering and leaving tool code.
 *
 * A thread is inside when it runs code of this library or an MPI function it wraps. Wrappers ask
 * sca_activity_enter(): only the outermost call of a thread gets true and is recorded, so MPI
 * functions that an MPI library calls for its own purposes count once (MPICH's Fortran entries call
 * MPI_). A sample that lands while its thread is inside tool code is counted as dropped and does
 * nothing; one that lands inside MPI proper (sca_thread.in_mpi) is charged to that MPI site. Being
 * inside MPI is a state of the frame that entered it: where that is gone, MPI has been left.
 *
 * The state lock protects the arena. It is a spin lock: holders never block, never take
 * another lock and mark their thread first, so the sample handler may take it too. A thread may
 * nest it.
 */
#ifndef SCA_PROF_GUARD_H
#define SCA_PROF_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#define SCA_MOST_LOOKS 15
#define SCA_MOST_AHEAD 64
#define SCA_CALLBACKS  3

struct sca_part_present;

struct sca_ahead { /* samples whose next call is not known yet (sample_next.h) */
    uint32_t record, periods;
};

struct sca_frame_mark { /* by which a frame is known to be there still */
    const void *cfa, *return_address;
};

struct sca_called_back { /* a call that waits for a function of the program's (callback.h) */
    struct sca_frame_mark frame; /* of what called that function */
    uint32_t site, previous;     /* of the call; the one before it */
    bool left;                   /* neither will come back */
};

struct sca_thread {
    int in_tool;               /* > 0: running this library's own code */
    int in_mpi;                /* > 0: inside a wrapped MPI function */
    bool left;                 /* the call that ran was left by a jump, and is not booked yet */
    int called_back;           /* so many calls wait for code of the program's that they called */
    struct sca_frame_mark mpi; /* of the call that runs; no return address: it is not recorded */
    struct sca_part_present *present; /* its record of what it does; NULL: none yet */
    char *memory;          /* of its own: thread_memory.h; NULL: none, or none any more */
    uint32_t previous;     /* site of the last MPI call left; while in_mpi, of the one running */
    bool forks;            /* a team's region begins: the runtime may create threads */
    bool awaits;           /* outside MPI, for other threads of its team (threads/team.h) */
    bool sampled;          /* this thread has its own sampling set up */
    bool waits;            /* has yielded in the MPI call that runs (idle.h) */
    bool yielded;          /* the program itself, since the last of its looks */
    bool counting;         /* where its last sample was, counters are still to be read (counts.h) */
    const void *holds;     /* the lock of the process that it took first and has; NULL: none */
    uint32_t held_periods; /* samples since then */
    uint32_t region;       /* site of the parallel region that it works in; 0: none followed */
    uint32_t track;      /* its calls of MPI are told apart by it, up to SCA_TRACKS; 0: the first */
    uint32_t created_at; /* site of the call that created it; 0: not known */
    uint64_t began_ns;   /* when it began, if that is known */
    int tid;             /* 0: not asked yet */
    uint64_t locked_ns;  /* waited for locks that threads of this process had (outside/holders.h) */
    uint64_t spun_ns;    /* CPU time that it took in such waits */
    uint64_t stood_ns;   /* by the wall clock, in waits for threads of this process */
    uint64_t awaited_ns; /* of virtual time, waited for other threads' doing (virtual_time.h) */
    uint64_t nap_cpu_ns; /* CPU time that its naps took since then (outside/sleeps.c) */
    uint64_t sampling_ns; /* what samples took since the last MPI call was left */
    uint8_t looks;        /* that found nothing, in a row: idle.h; up to SCA_MOST_LOOKS */
    uint8_t in_vain;      /* of these when sampling last began again */
    uint8_t nahead;
    uint64_t mpi_seen_ns, mpi_seen_cpu_ns; /* when a sample last found the call running */
    struct sca_called_back callback[SCA_CALLBACKS];
    struct sca_ahead ahead[SCA_MOST_AHEAD];
};

/* This thread's state: initial-exec TLS, so that the handler may touch it. */
extern _Thread_local struct sca_thread sca_thread __attribute__((tls_model("initial-exec")));

/* Recording is on: after MPI_Init's return, before Finalize's entry, not switched off. */
extern volatile bool sca_recording;
/* MPI_Pcontrol(0): calls are followed, so that messages, collectives and iterations keep the
 * numbers that other ranks give them; nothing is booked. */
extern volatile bool sca_paused;

void sca_guard_lock(void);
void sca_guard_unlock(void);

#endif
