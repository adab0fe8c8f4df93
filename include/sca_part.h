/*
 * The live state of one rank: the layout of `rank-<N>.part` in the run directory.
 *
 * The runtime keeps everything it knows in one bounded file mapped MAP_SHARED, so that abort,
 * exit without Finalize and SIGKILL leave a readable profile. Tables have a fixed stride and a
 * fixed capacity; they only ever grow at the end, and `count` is stored last (release), so a
 * reader sees whole records whatever instant the process died at. Counters inside records may
 * be torn by at most one update. Offsets are from the start of the file.
 *
 * Written by prof/ alone; read by common/profile/part.c, which checks every offset and count.
 * No pointers, no padding that is not named: the structs below are the format (doc/FORMATS.md).
 */
#ifndef SCA_PART_H
#define SCA_PART_H

#include <stddef.h>
#include <stdint.h>

#define SCA_PART_MAGIC   "SCAPART"
#define SCA_PART_VERSION 8u
#define SCA_MAX_METRICS  4
#define SCA_NONE         UINT32_MAX

/* Dimensions of a Cartesian communicator, at most; of more it has no topology here. */
enum { SCA_MOST_DIMENSIONS = 32 };

enum sca_part_table {
    SCA_T_STRINGS, /* bytes: NUL-terminated strings; others refer by offset; offset 0 is "" */
    SCA_T_MODULES,
    SCA_T_NODES, /* node 0: the root above every call path; parents come before children */
    SCA_T_SITES, /* site 0: the start of recording (MPI_Init returned) */
    SCA_T_INTERVALS,
    SCA_T_SAMPLES,
    SCA_T_PEERS,
    SCA_T_COLLECTIVES,
    SCA_T_COMMS, /* comm 0: MPI_COMM_WORLD */
    SCA_T_MESSAGES,
    SCA_T_WINDOWS,
    SCA_T_EVENTS, /* bytes: the encoded events of all windows */
    SCA_T_META,   /* bytes: "key\0value\0" pairs */
    SCA_T_COUNT
};

struct sca_part_directory {
    uint64_t offset;
    uint32_t stride;   /* bytes per record; 1 for byte tables */
    uint32_t capacity; /* records */
    uint32_t count;    /* records that are whole */
    uint32_t dropped;  /* records there was no room for */
};

/* How long each call of a site took, with the looks before it, and the own time of each instance of
 * an interval. Records are next to those of the two tables, at the same index. Squares are summed
 * up in floating point: they lose a deviation below a ten-millionth of the mean. Class 0 is below
 * 128 ns, k from there to 2^(k + 7), the last one all above; a class stops at UINT32_MAX. */
enum sca_timed { SCA_TIMED_SITES, SCA_TIMED_INTERVALS, SCA_TIMED_COUNT };
enum { SCA_DURATION_CLASSES = 30, SCA_DURATION_CLASS_0 = 7 /* bits */ };

struct sca_part_durations {
    double squares; /* ns^2 */
    uint32_t classes[SCA_DURATION_CLASSES];
};

static inline uint32_t sca_duration_class(uint64_t ns)
{
    uint64_t above = ns >> SCA_DURATION_CLASS_0;
    uint32_t k = above ? 64 - (uint32_t)__builtin_clzll(above) : 0;
    return k < SCA_DURATION_CLASSES ? k : SCA_DURATION_CLASSES - 1;
}

/* Offset 0: there are none. */
struct sca_part_timed {
    struct sca_part_directory of[SCA_TIMED_COUNT];
    uint32_t about_mean; /* 1: squares are of what each differs from the mean, as at the end */
    uint32_t reserved;
};

/* Snapshot: a copy of a state that was running. */
enum sca_part_state {
    SCA_RUNNING = 1,
    SCA_FINALIZED = 2,
    SCA_ABORTED = 3,
    SCA_EXITED = 4,
    SCA_SNAPSHOT = 5
};

/* What a call waits for. */
enum sca_awaited_kind {
    SCA_AWAITS_SENDER = 1,     /* a message of `peer` with `tag`, on `comm` */
    SCA_AWAITS_RECEIVER = 2,   /* that `peer` receives one, or has room for it */
    SCA_AWAITS_COLLECTIVE = 8, /* and enum sca_collective_shape (sca_profile.h), or 4: neighbours in
                                  a topology. All of `comm`, or `peer`, the root; `tag` is the
                                  collective's number on `comm`, modulo 2^32 */
};

/* Peer or tag that may be any. */
#define SCA_AWAITS_ANY INT32_MIN

/* `process` of a copy that was made for another host (sca_copy.h): whether it was there when that
 * was made, which process_start says, by the node clock. */
enum sca_observed { SCA_OBSERVED_UNKNOWN = -3, SCA_OBSERVED_GONE = -2, SCA_OBSERVED_ALIVE = -1 };

struct sca_part_awaited {
    uint32_t kind; /* enum sca_awaited_kind */
    uint32_t comm;
    int32_t peer; /* rank in MPI_COMM_WORLD; -1: not known; SCA_FOREIGN - r */
    int32_t tag;
};

/* What a thread that calls MPI is doing. `turn` is odd while it is inside an MPI call, and rises by
 * one as it enters and as it leaves. site, enter_ns and, where detail == turn, nawaited, any and
 * awaited are of the call, and change only while turn is even; exit_ns and left are of the call
 * that was left last, and change only while it is odd. So a reader that finds the same turn before
 * and after has read what belongs together. */
enum { SCA_PRESENT_THREADS = 8, SCA_PRESENT_AWAITED = 16 };

/* Of a thread that has waited for a lock outside MPI, for a second or more: while turn is even, and
 * detail is turn + SCA_PRESENT_LOCK, this is there instead of awaited. */
struct sca_part_lock_wait {
    uint64_t begin_ns, asked_ns; /* node clock: of the wait; when its holder was asked for last */
    uint32_t site;               /* of the call that waits */
    uint32_t held;   /* site of the call that took it, without its callers; SCA_NONE: not known */
    uint32_t holder; /* the kernel's number of the thread that has it */
    uint32_t reserved;
};
#define SCA_PRESENT_LOCK (UINT64_C(1) << 63)

struct sca_part_present {
    uint64_t turn;
    uint64_t detail;
    uint64_t enter_ns, exit_ns; /* node clock */
    uint32_t site, left;
    uint32_t thread;   /* the kernel's number of it; 0: nobody has this record */
    uint32_t nawaited; /* so many requests; the first SCA_PRESENT_AWAITED of them are here; with
                          SCA_PRESENT_ANY one of them is enough, else it waits for all */
    union {
        struct sca_part_awaited awaited[SCA_PRESENT_AWAITED];
        struct sca_part_lock_wait lock;
    };
    uint64_t polls_ns; /* node clock: since then it only polls (MPI_Test, MPI_Iprobe, ...), and
                          fails; 0: it does not, or an older library's part */
    uint32_t reserved[2];
};
#define SCA_PRESENT_ANY   0x80000000u
#define SCA_PRESENT_POLLS 0x40000000u /* readers' (profile/polls.h): enter_ns is polls_ns */
/* Polls last so many times as long as what is computed between them, or since the last. */
enum { SCA_POLLS_MOSTLY = 8 };

/* What tells where an iteration of the main loop ends; of each kind a rank has a series of its own,
 * of which readers take one (profile/series_marks.h). */
enum sca_series_source {
    SCA_SERIES_MARKER,     /* a loop's marker (sca_hook.h) */
    SCA_SERIES_COLLECTIVE, /* the same world collective again */
    SCA_SERIES_PATH,       /* the same call path again */
    SCA_SERIES_SOURCES
};

enum { SCA_SERIES_MARKS = 1024 }; /* of each source */

/* Phases that the program names; the longest name, with its NUL. */
enum { SCA_SERIES_PHASES = 64, SCA_PHASE_NAME = 64 };

/* The series' tables: `offset` is that of the first source's, SCA_SERIES_MARKS records each; behind
 * the last one are SCA_SERIES_PHASES records of phases. All 0: there is none. */
struct sca_part_series {
    uint64_t offset;
    uint32_t stride, sources; /* of these tables */
    uint32_t count[SCA_SERIES_SOURCES], nphases;
};

/* A phase in one place among the others; times are without those within it. */
struct sca_part_phase {
    uint32_t name;             /* string */
    uint32_t parent;           /* the one that holds it, from 1; 0: none */
    uint64_t count;            /* how often it began */
    uint64_t begin_ns, end_ns; /* since init_ns: of its first begin and its last end; while it
                                  lasts, of the end before */
    uint64_t compute_ns, mpi_ns, off_ns;
    uint64_t wall_ns; /* of all its instances */
};

/* Totals of a rank since MPI_Init at the end of an iteration; the difference of two neighbours is
 * what happened in between. */
struct sca_part_mark {
    uint64_t end_ns; /* since init_ns */
    uint64_t compute_ns, mpi_ns, off_ns;
    uint64_t kind;      /* sum of a hash per call: equal differences are of the same calls */
    uint32_t number;    /* iterations of this loop so far */
    uint32_t site;      /* of the call that ends them; a marker's: of the call before */
    uint32_t memory_kb; /* resident, the most so far */
    uint16_t section;   /* loops one after the other, from 0 */
    uint8_t begins;     /* 1: nothing of the section lies before this mark */
    uint8_t phase;      /* the innermost then, from 1; 0: none */
};

struct sca_part_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size;
    uint32_t rank, size;
    uint32_t state;
    uint32_t nmetrics;
    uint64_t init_ns, last_ns;  /* node clock at MPI_Init's return, and at the last update */
    uint64_t wall_ns, cpu_ns;   /* recorded span: Init's return to Finalize's entry, this rank */
    uint64_t mpi_ns, mpi_calls; /* between them, inside MPI functions (outermost only) */
    uint64_t tool_ns;           /* spent in this library, measured, */
    uint64_t tool_gap_ns;       /* of it, between MPI functions: counted as computation there.
                                   Samples of the thread that calls MPI are not. */
    uint64_t samples, samples_in_mpi, samples_dropped;
    uint64_t sample_period_ns; /* CPU time a sample stands for; 0: no sampling */
    uint64_t sample_squares; /* of the periods that each stood for; 0: metadata has them, or none */
    struct sca_part_directory table[SCA_T_COUNT];
    /* Since version 5. By these an observer knows whether the process is still there. */
    uint64_t process_start;    /* clock ticks after boot, as in /proc/PID/stat; 0: not known */
    uint32_t process, sampled; /* its number; the sample that was taken last outside MPI, */
    uint64_t sampled_ns;       /* and when; 0: none was */
    uint64_t pid_namespace;    /* inode of it */
    uint8_t boot[16];          /* the kernel's boot id: of one host, and one clock */
    uint64_t seen_ns;          /* when any sample was taken last, in MPI too */
    struct sca_part_present present[SCA_PRESENT_THREADS]; /* the first is of who called MPI_Init */
    struct sca_part_series series;                        /* since version 6 */
    struct sca_part_timed timed;                          /* since version 7 */
};

/* Of version 4, which ended with the tables. */
#define SCA_PART_HEADER_4 offsetof(struct sca_part_header, process_start)
/* Of version 5, which ended with the threads. */
#define SCA_PART_HEADER_5 offsetof(struct sca_part_header, series)
/* Of version 6, which ended with the series. */
#define SCA_PART_HEADER_6 offsetof(struct sca_part_header, timed)

struct sca_part_module {
    uint64_t first, last; /* addresses in this process, [first, last) */
    uint64_t bias;        /* load bias: file address = address - bias */
    uint32_t path;        /* string */
    uint32_t build_id_size;
    uint8_t build_id[32];
};

enum sca_node_kind { SCA_NODE_RETURN = 0, SCA_NODE_PC = 1, SCA_NODE_THREAD = 8 };
#define SCA_NODE_GUESSED 2u /* added to the kind: that its parent called it is a guess */
/* Added to the kind: no frame. An object lies at that address of the file, or (RETURN) the call
 * that returns there made it. Its parent is the root. */
#define SCA_NODE_OBJECT 4u

/* Further threads of a rank with call sites of their own; threads from this number on share theirs.
 */
enum { SCA_TRACKS = 16 };

/* A frame of a call path. `offset` is the module's file address: of a return address (look up
 * offset - 1) or, for the innermost frame of a sample, of the interrupted instruction. Thread
 * (since version 8): no frame, but the call path of the parent as thread `offset` followed it, from
 * 1 to SCA_TRACKS. Only sites have it; without it they are of the first thread. */
struct sca_part_node {
    uint32_t parent; /* of the root: SCA_NONE */
    uint32_t module; /* SCA_NONE: an address in no known module */
    uint64_t offset;
    uint32_t kind;
    uint32_t reserved;
};

/* In front of a phase's name, for the site of a call that begins or ends it. No interval leads to
 * such a site, and its numbers are 0. */
#define SCA_PLACE_BEGINS "begin "
#define SCA_PLACE_ENDS   "end "

/* A call path ending in one MPI function. */
struct sca_part_site {
    uint32_t node;
    uint32_t name; /* string: "MPI_Send"; Fortran entries carry the C name too */
    uint64_t count;
    uint64_t time_ns;
    uint64_t bytes; /* what this call sent or received by its arguments or statuses */
    uint64_t min_ns, max_ns;
};

/* Computation between the exit of one MPI call and the enter of the next, of one thread. */
struct sca_part_interval {
    uint32_t previous, site; /* sites */
    uint64_t count;
    uint64_t wall_ns;
    uint64_t cpu_ns;         /* on the core, without samples, or as long as threads it waited for */
    uint64_t blocked_ns;     /* off it by the program's own will: sleep, I/O, page faults */
    uint64_t min_ns, max_ns; /* of own time, cpu + blocked: what the program itself took */
};

/* Blocked: no sample, but calls outside MPI in which a thread was blocked. Their node is that of a
 * site, which names the function, and which no interval leads to; count is of calls, length_ns what
 * they took. Helped: no sample either, node 0; in so many instances of the interval the first
 * thread waited for other threads of its process, length_ns of the interval's cpu_ns in all.
 * Awaits: a sample of a thread that waited, on the core, for others of its team.
 *
 * Of parallel regions, whose node is that of a site (`thread`: threads of the team): so many
 * instances took length_ns of the first thread's time, each thread with a core of its own
 * (prof/threads/team.h); of that, more than if all had computed as much (uneven), and what threads
 * waited for locks (contended). Of locks (`thread`: a number of the lock on this rank): threads
 * waited so long at that site (lock) for others, who had it from that site (holder); so many
 * periods of samples fell on threads that had it from there (held), and of these so many in that
 * region (region held, its node the region's); a contended record of node 0 is what the interval
 * itself took longer by that. Thread: so many times the first thread waited at that site, length_ns
 * of virtual time, for `thread`'s doing. Handed over: so many times `thread` waited at that site,
 * length_ns in all, for a lock that thread `next` let go last, which had it from site `previous`.
 * Lock at: the lock with that number is the object of the node.
 * Step: so many times the first thread went from site `previous` to site `next`, of which one is a
 * place where a phase that the program names begins or ends, in length_ns of elapsed time.
 * Inner region: so much of the time of regions was that of one inside them; inner uneven: so much
 * shorter they were if its threads had computed as much. Chain, whose node is that of a site where
 * tasks are made: so much longer regions took than if all had computed as much, because tasks
 * depend on each other; long task: because one of them takes longer than that.
 */
enum sca_part_sample_kind {
    SCA_SAMPLE_COMPUTES = 0,
    SCA_SAMPLE_IN_MPI = 1,
    SCA_SAMPLE_BLOCKED = 2,
    SCA_SAMPLE_AWAITED = 3, /* in no file: detect/load/awaited.h */
    SCA_SAMPLE_HELPED = 4,
    SCA_SAMPLE_AWAITS = 5,
    SCA_SAMPLE_REGION = 6,
    SCA_SAMPLE_UNEVEN = 7,
    SCA_SAMPLE_CONTENDED = 8,
    SCA_SAMPLE_LOCK = 9,
    SCA_SAMPLE_HOLDER = 10,
    SCA_SAMPLE_HELD = 11,
    SCA_SAMPLE_THREAD = 12,
    SCA_SAMPLE_HANDED_OVER = 13,
    SCA_SAMPLE_REGION_HELD = 14,
    SCA_SAMPLE_LOCK_AT = 15,
    SCA_SAMPLE_INNER_REGION = 16,
    SCA_SAMPLE_INNER_UNEVEN = 17,
    SCA_SAMPLE_STEP = 18,
    SCA_SAMPLE_CHAIN = 19,
    SCA_SAMPLE_LONG_TASK = 20
};

struct sca_part_sample {
    uint32_t node;
    uint32_t previous; /* site of the last MPI call left, or being executed if in_mpi */
    uint16_t in_mpi;   /* enum sca_part_sample_kind */
    uint16_t thread;   /* 0: the first, and those not followed; else as they began, the numbers of
                          ended ones being given again */
    uint32_t next; /* site entered after it; 0: in_mpi, or not known (yet); handed over: a thread,
                      and the lock's number (sca_part_hand_over()) */
    uint64_t count;
    uint64_t metric[SCA_MAX_METRICS]; /* events: see prof/sampling/counts.h */
    uint64_t length_ns; /* of those periods whose `next` is known: sum of the own times of the
                           instances of the interval that they lay in */
};

/* `next` of what is handed over. Number 0: it may be any lock. */
static inline uint32_t sca_part_hand_over(uint16_t thread, uint16_t number)
{
    return thread | (uint32_t)number << 16;
}

static inline int sca_part_is_sample(const struct sca_part_sample *s)
{
    return s->in_mpi <= SCA_SAMPLE_IN_MPI;
}

/* A peer of another MPI_COMM_WORLD: SCA_FOREIGN - r is rank r of the communicator, of its remote
 * group if it is an inter-communicator. */
enum { SCA_FOREIGN = -2, SCA_MOST_FOREIGN = 1 << 22 };

enum sca_direction { SCA_SENT = 0, SCA_RECEIVED = 1 };

/* Completed traffic of a site with one peer. Receives are booked where they complete. */
struct sca_part_peer {
    uint32_t site;
    uint32_t comm;
    int32_t peer; /* rank in MPI_COMM_WORLD; -1: could not be translated; SCA_FOREIGN - r */
    uint32_t direction;
    uint64_t count, bytes;
};

struct sca_part_collective {
    uint32_t site;
    uint32_t comm;
    int32_t root; /* world rank, -1 for unrooted kinds; SCA_FOREIGN - r */
    uint32_t reserved;
    uint64_t count, bytes;
};

struct sca_part_comm {
    uint64_t id; /* equal on all members, without communication; 0 = tainted */
    uint32_t size;
    uint32_t rank;     /* own rank in it */
    uint32_t kind;     /* string: how it was made */
    uint32_t topology; /* string: its topology and this rank's place in it, or how it joins worlds
                          (doc/FORMATS.md) */
};

/* One of the k messages kept per channel: the same ones on both sides (smallest hash). */
struct sca_part_message {
    uint64_t hash;
    uint32_t comm;
    int32_t peer, tag; /* peer in world ranks */
    uint32_t direction;
    uint64_t number;    /* on the channel (comm, source, destination, tag), from 0 */
    uint32_t site;      /* send: where posted; receive: where completed */
    uint32_t post_site; /* receive: where posted */
    uint64_t bytes;
    uint64_t enter_ns, exit_ns; /* of the call at `site`, node clock since init_ns */
};

/* Whole iterations recorded by all ranks at once. */
struct sca_part_window {
    uint64_t iteration; /* number of its first iteration */
    uint32_t iterations;
    uint32_t duration_class;
    uint64_t class_total; /* windows of this class that happened */
    uint64_t begin_ns, end_ns;
    uint32_t events_offset, events_size; /* in SCA_T_EVENTS */
    uint32_t nevents;
    uint32_t kept; /* enum sca_part_kept */
};

/* Timed: the events say when each call was entered and left (SCALANA_RECORD=full). Near: the first
 * peer of a site's messages is written as its distance from the rank itself; before version 8,
 * never.
 */
enum sca_part_kept { SCA_FREE = 0, SCA_KEPT = 1, SCA_KEPT_TIMED = 2, SCA_KEPT_NEAR = 3 };

#endif
