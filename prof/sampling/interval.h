/*
 * The computation between two MPI calls of a thread, in the program's own time: CPU time, less what
 * samples took of it, plus what the program itself chose to wait for outside MPI (sleep, I/O, page
 * faults). Time in which
 * the scheduler gave the core to others is nobody's computation, on nodes with more ranks than
 * cores and on nodes that were not ours alone.
 *
 * Reading the CPU clock is a system call. It is spared where CPU time is known all the same
 * (cpu_time.h), and else done only after call paths that are followed
 * by long intervals, and switches are counted only after those whose intervals were longer than
 * their CPU time; everywhere else wall time is own time. On crowded nodes it is read far more
 * often, and a wait for the process's own threads counts as long as they computed, not as the clock
 * went.
 *
 * One state per thread; never in a handler. Nanoseconds.
 */
#ifndef SCA_PROF_INTERVAL_H
#define SCA_PROF_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

struct sca_interval {
    uint64_t wall_ns, cpu_ns, blocked_ns; /* own time is cpu + blocked, at most wall */
    uint64_t locked_ns; /* of cpu_ns: what it took longer by waits for locks of the process */
    uint64_t helped_ns; /* of cpu_ns: the first thread waited for others of its process */
};

/* An MPI call was left, at this time, with this site; the next interval begins. */
void sca_interval_open(uint32_t site, uint64_t now_ns);
/* The calling thread's first MPI call is entered: the interval before it began with the thread. */
void sca_interval_open_thread(uint32_t site, uint64_t began_ns);
/* The next MPI call is entered: the interval since sca_interval_open(); zeros if there was none. */
void sca_interval_close(uint64_t now_ns, struct sca_interval *out);
/* The same, for rare use: the other is part of every call. */
void sca_interval_close_rarely(uint64_t now_ns, struct sca_interval *out);
/* The interval that is open began later than it was said to: so much before it was not of it, and
 * `mpi_ns` of MPI, at whose end the CPU clock was `cpu_ns`. */
void sca_interval_leave_out(const struct sca_interval *before, uint64_t mpi_ns, uint64_t cpu_ns);
/* In the interval that is open lies a call that ends none, which is not of it. */
void sca_interval_pass(uint64_t call_ns);
/* The interval that is open has `wall_ns` in a call that blocks (outside/): what of it was not
 * computation need not be found out by clocks alone. To book that takes time, which the caller adds
 * to sca_thread.sampling_ns: by that intervals with sleeps are known. */
void sca_interval_slept(uint64_t wall_ns);
/* In the interval that is open the calling thread waited for others of its team since `began_ns`,
 * when its CPU clock was `began_cpu_ns`, until now, when it is `cpu_ns`: that is not of it. A wait
 * that began before the interval is left in it. Of the first thread its regions tell that. */
void sca_interval_awaited(uint64_t began_ns, uint64_t began_cpu_ns, uint64_t cpu_ns);
/* A parallel region of the first thread has ended, in the interval that is open: it took so much of
 * this thread's time, and `virtual_ns` with a core for each of its threads, of which the first one
 * waited `helped_ns` for the others (threads/team.h). */
struct sca_interval_region {
    uint64_t wall_ns, cpu_ns;
};
void sca_interval_add_region(const struct sca_interval_region *region, uint64_t virtual_ns,
                             uint64_t helped_ns);
/* When the interval that is open began, and the thread's CPU clock then; 0: not known. */
void sca_interval_begun(uint64_t *now_ns, uint64_t *cpu_ns);
/* The thread's CPU time in the interval that was closed last; 0: not known. */
uint64_t sca_interval_cpu_ns(void);
/* Whether one of the last few intervals after this site took a tenth of a millisecond or more. */
bool sca_interval_may_be_long(uint32_t site);
/* The thread ends; MPI calls may still follow. */
void sca_interval_thread_stop(void);
/* Whether this thread has left an MPI call yet. */
int sca_interval_is_open(void);
/* What all intervals of the calling thread that were closed have told of it: computation, ns. */
uint64_t sca_interval_told_ns(void);

static inline uint64_t sca_interval_own(const struct sca_interval *interval)
{
    return interval->cpu_ns + interval->blocked_ns;
}

static inline void sca_interval_add(struct sca_interval *to, const struct sca_interval *more)
{
    to->wall_ns += more->wall_ns;
    to->cpu_ns += more->cpu_ns;
    to->blocked_ns += more->blocked_ns;
    to->helped_ns += more->helped_ns;
    to->locked_ns += more->locked_ns;
}

#endif
