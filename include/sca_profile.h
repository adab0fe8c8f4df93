/*
 * A run as everything after it sees it: the merged profile of all ranks.
 *
 * sca_profile_load() reads a run directory: `profile.sca` when the run ended well, else the
 * `rank-*.part` files it left behind (absent ranks have present == false). Modules, call-path
 * nodes, sites and communicators are merged across ranks: equal ones have equal indices. What the
 * runtime had no room for is at node 0, site 0 or a communicator of kind "unknown". A pair of
 * sites or a sample may occur more than once in a rank; its counts add up. Everything is owned by
 * the profile until sca_profile_free(). Times are nanoseconds: totals have 13
 * significant bits in runs of more than 32 ranks, kept messages steps of 1,024; min_ns and max_ns
 * are rounded outwards by up to 1/64. Loading is for tools: it allocates.
 */
#ifndef SCA_PROFILE_H
#define SCA_PROFILE_H

#include "sca_part.h"
#include "sca_series.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCA_PROFILE_FILE "profile.sca"

struct sca_module {
    const char *path;
    const char *build_id; /* lower-case hex, "" if the module has none */
};

struct sca_node {
    uint32_t parent; /* comes before its children; node 0 is the root, its parent SCA_NONE */
    uint32_t module; /* SCA_NONE if unknown */
    uint64_t offset;
    uint32_t kind; /* enum sca_node_kind, SCA_NODE_GUESSED */
};

struct sca_site {
    uint32_t node;
    const char *function; /* "MPI_Allreduce"; site 0 is "MPI_Init" */
    uint32_t thread;      /* that calls it: 0 for the first, up to SCA_TRACKS */
};

struct sca_comm {
    uint64_t id;
    uint32_t size;
    const char *kind;
    bool joins_worlds; /* some members are of another MPI_COMM_WORLD, which is not in the profile */
};

struct sca_site_total {
    uint32_t site;
    uint64_t count, time_ns, bytes, min_ns, max_ns;
};
/* interval, sample, peer, collective and message keep the part structs; their node, site and
 * comm fields are merged indices here, their strings resolved. */

enum sca_op_kind {
    SCA_OP_SEND,       /* posted by this call: a matching receive may depend on it */
    SCA_OP_RECV_POST,  /* posted by this call */
    SCA_OP_RECV,       /* completed by this call */
    SCA_OP_SEND_DONE,  /* a synchronous or large send completed by this call */
    SCA_OP_COLLECTIVE, /* all members take part; number counts collectives of the communicator */
    SCA_OP_COLLECTIVE_POST, /* a non-blocking one begins: this rank has come */
    SCA_OP_COLLECTIVE_DONE, /* it is complete: now the others must have come */
    SCA_OP_LOCK /* of a window (`comm`) at a target (`peer`); `tag` not 0: a word there */
};

struct sca_op {
    uint8_t kind;
    uint8_t shape; /* collectives: enum sca_collective_shape; locks: enum sca_lock_shape */
    uint32_t comm;
    int32_t peer; /* world rank; collectives: root's world rank or -1 */
    int32_t tag;
    uint64_t number;
    uint64_t bytes;
};

/* Collectives over the neighbours in a topology are messages to and from each, with this tag; their
 * number counts collectives of the communicator. */
#define SCA_TAG_NEIGHBOUR INT32_MIN

enum sca_collective_shape {
    SCA_ALL_TO_ALL, /* nobody leaves before all have entered: barrier, allreduce, alltoall ... */
    SCA_ONE_TO_ALL, /* bcast, scatter: members wait for the root */
    SCA_ALL_TO_ONE, /* reduce, gather: the root waits for the members */
    SCA_PREFIX      /* scan, exscan: rank r waits for ranks < r */
};

enum sca_lock_shape {
    SCA_LOCK_EXCLUSIVE, /* taken: nobody else has it */
    SCA_LOCK_SHARED,    /* taken: nobody has it exclusively */
    SCA_LOCK_RELEASE,
    SCA_LOCK_SHARED_ALL, /* SHARED at each target; `peer` is -1 */
    SCA_LOCK_RELEASE_ALL,
    SCA_LOCK_SET, /* a word (`tag`) of the window at the target; `number`: ns since init_ns */
    SCA_LOCK_SEEN /* failed polls of one have ended, for another rank has set it; likewise */
};

struct sca_event { /* one MPI call inside a window */
    uint32_t site;
    uint32_t first_op, nops; /* into sca_window.ops */
    uint64_t gap_ns;         /* own time since the previous event's exit (or window begin) */
};

/* Of full recording: when the call was entered and left as measured, ns since init_ns. */
struct sca_event_time {
    uint64_t enter_ns, exit_ns;
};

struct sca_window {
    uint64_t iteration;
    uint32_t iterations, duration_class;
    uint64_t class_total;
    uint64_t begin_ns, end_ns;
    uint32_t nevents, nops;
    struct sca_event *events;
    struct sca_op *ops;
    struct sca_event_time *times; /* of each event, NULL but for SCALANA_RECORD=full */
};

/* It stands for nothing: kept with others, for together they hold a long iteration. */
static inline bool sca_window_stands(const struct sca_window *window)
{
    return window->class_total > 0;
}

/* What a thread of a rank that calls MPI was doing when the live state was read. */
struct sca_activity {
    uint32_t thread;   /* the kernel's number of it */
    bool inside;       /* an MPI call: `site`; else it was left, and the program goes on since */
    uint32_t site;     /* SCA_NONE: not known */
    uint64_t since_ns; /* by the rank's clock */
    char state;        /* of the thread, as in /proc/PID/stat; 0: not known */
    bool in_lock;      /* outside MPI: it waits for a lock, `lock` (its sites are the profile's) */
    struct sca_part_lock_wait lock;
    bool any;          /* one of what it awaits is enough */
    bool polls;        /* since since_ns, by calls that find nothing */
    uint32_t nawaited; /* requests of the call */
    uint32_t nknown;   /* of these are in `awaited`; what a rank may await in a call, where known */
    struct sca_part_awaited awaited[SCA_PRESENT_AWAITED];
};

enum sca_alive { SCA_ALIVE_UNKNOWN, SCA_ALIVE, SCA_DEAD };

/* A rank at the moment when its part was read. */
struct sca_moment {
    uint32_t state;       /* enum sca_part_state */
    enum sca_alive alive; /* its process, where that is one of this host's */
    uint64_t now_ns;      /* when it was read, by the rank's clock; 0: that is another host's */
    uint64_t last_ns;     /* the last sign of life */
    uint32_t sampled;     /* node of the sample taken last outside MPI; SCA_NONE: there is none */
    uint64_t sampled_ns;  /* when it was */
    /* Of a run that broke off, set by detect/: since its last call the rank computed far longer
     * than ever, so long by the clock (0: it did not); this is in its time between calls. */
    uint64_t open_ns;
    bool open_counts;
    bool open_booked;     /* what it did last, computation or call, is in its times */
    uint32_t nactivities; /* the first is of the thread that called MPI_Init */
    struct sca_activity *activities;
};

/* How long each call of a site took, or each computation of an interval. Of more than 8 ranks those
 * are left out that take less than a 64th of the rank's time. Of more than 32 a class is right to
 * 6 %, as are the squares. The classes' sum is the count. */
struct sca_durations {
    uint32_t previous; /* site; SCA_NONE: of the calls at `site` */
    uint32_t site;
    uint8_t first, n; /* classes (sca_part.h) that have any */
    uint64_t count;
    double total_ns;
    double squares;    /* of what each differs from the mean, ns^2 */
    uint64_t *classes; /* [n] */
};

struct sca_rank {
    bool present;
    bool complete; /* reached MPI_Finalize; else wall_ns is up to its last sign of life */
    const char *host, *address; /* "" if unknown */
    const char *unreached;      /* why some of its threads have no samples; "": all are sampled */
    const char *cores;    /* it was bound to: "0:3", "0:0-3 1:4", "all"; "": unknown (FORMATS.md) */
    const char *core_use; /* "0:635 1:365": thousandths of its CPU time on each; "": unknown */
    const char
        *core_threads; /* of its other threads: "1 13 412 0:635 1:365;2 0 9 1:1000": number, ms that
                          it waited for a core, and as core_use, by samples; "": unknown */
    const char *core_free;   /* cores that its launcher might use and it might not, per cent of the
                                time that they were idle: "1:97 4-7:100"; "": none, or unknown */
    uint64_t core_waited_ns; /* for a core, its first thread; 0: hardly, or unknown */
    uint64_t core_step_ps;   /* of a chain of dependent multiplications at the end; 0: unknown */
    uint32_t node;           /* number of the host, which tells apart those of one name */
    uint64_t init_ns;        /* its own clock at MPI_Init's return; its times begin here */
    int64_t begin_ns;        /* the same on the run's time line, where the first rank's is 0 */
    uint32_t clock;          /* the lowest rank that reads the same clock */
    bool clock_known;        /* false: its offset could not be measured */
    int64_t clock_offset_ns; /* at Init, to rank 0's clock; begin_ns contains it */
    uint64_t clock_error_ns; /* of a time on that line, at most */
    double drift;            /* of its clock against rank 0's, ns per ns */
    uint64_t wall_ns, cpu_ns, mpi_ns, mpi_calls, tool_ns, tool_gap_ns;
    uint64_t samples, samples_in_mpi, samples_dropped, sample_period_ns;
    double sample_worth; /* of one in those counts, in independent samples: at most 1 */
    uint32_t nsites, nintervals, nsamples, npeers, ncollectives, nmessages, nwindows, ncomms;
    struct sca_site_total *sites;
    struct sca_part_interval *intervals;
    struct sca_part_sample *sample;
    struct sca_part_peer *peers;
    struct sca_part_collective *collectives;
    struct sca_part_message *messages;
    struct sca_window *windows;
    uint32_t ndurations;
    struct sca_durations *durations; /* NULL: not known, as of older runs and packed profiles */
    uint32_t *comms;                 /* merged communicator indices this rank is a member of */
    uint32_t *comm_ranks;            /* its own rank in each */
    const char **topologies;         /* of each: "cart 4,2 periodic 1,0 at 3,1", ..., or "" */
    struct sca_moment *moment; /* of a live state; NULL: there is none, or of an older release */
    uint64_t absurd;           /* times longer than the run, left out by detect/: a clock jumped */
    uint64_t dropped;          /* records the runtime had no room for, all tables */
    struct sca_packed *packed; /* of sca_profile_load_packed(): the tables, else NULL */
    uint64_t longest_ns;       /* of these: the longest computation or call in any of them */
};

struct sca_metadata { /* "key" -> "value" as the runtime wrote them; see doc/FORMATS.md */
    const char *key, *value;
};

/* How much of a file of code the run keeps. */
enum sca_kept_extent {
    SCA_KEPT_NAMES, /* functions that call paths go through */
    SCA_KEPT_GRAPH, /* graph and all functions */
    SCA_KEPT_LINES, /* lines as well */
    SCA_KEPT_ALL    /* machine code as well, from which structure is recovered */
};

struct sca_kept {
    const char *path, *build_id; /* as in struct sca_module */
    enum sca_kept_extent extent;
    uint64_t size; /* of the file */
    uint32_t nranges;
    const uint8_t *ranges; /* for sca_kept_file() */
    size_t ranges_length;
};

/* One of several MPI_COMM_WORLDs of a job that are seen as one run: its ranks are those of the
 * profile from `first` on. */
struct sca_world {
    const char *directory;
    uint32_t first, nranks;
};

struct sca_profile {
    const char *directory; /* of several worlds the first one's */
    bool complete;         /* every rank reached MPI_Finalize */
    uint32_t nmeta, nmodules, nnodes, nsites, ncomms, nranks;
    struct sca_metadata *meta;
    struct sca_module *modules;
    uint32_t nkept;
    const struct sca_kept *kept; /* of modules, where the run wrote them down */
    struct sca_node *nodes;
    struct sca_site *sites;
    struct sca_comm *comms;
    struct sca_rank *ranks; /* index = world rank; of several worlds, one after the other */
    uint32_t nworlds;       /* 0: it is one */
    const struct sca_world *worlds;
    struct sca_series *series; /* NULL: no main loop, an older run, several worlds, ... */
    uint32_t nmetrics;
    const char *metrics[SCA_MAX_METRICS];
    struct sca_sizes *largest; /* of packed ranks: for sca_rank_open_size() */
    void *memory;              /* implementation's */
};

/* 0 or SCA_E...: SCA_ENOTFOUND no such directory or nothing in it, SCA_EFORMAT damaged (file and
 * offset in the message), SCA_EVERSION written by a newer release. profile.sca is right as a whole
 * or refused. A damaged part costs its own rank only (present = false); the metadata "damaged"
 * then says which and where; it is an error when no part can be read. */
int sca_profile_load(const char *directory, struct sca_profile **out);
/* The same for runs of many ranks: their tables take an eighth of the memory. The arrays of a rank
 * and of its windows are NULL; sca_rank_open() shows them. Left out, and 0: max_ns of sites;
 * wall_ns and min_ns of intervals, and max_ns of those that were on the core for the most part. */
int sca_profile_load_packed(const char *directory, struct sca_profile **out);
/* The same without recorded windows and messages: nwindows and nmessages are 0. For who compares
 * ranks as wholes. */
int sca_profile_load_totals(const char *directory, struct sca_profile **out);
/* The same, without what came before a snapshot, which is a run directory with the parts of that
 * run as they were then. Times begin at the snapshot, but for minima and maxima. The metadata
 * "since" names it. SCA_EMISMATCH: it is not of this run. */
int sca_profile_load_since(const char *directory, const char *snapshot, struct sca_profile **out);
/* One profile, packed, of worlds of one job (worlds_link.h), which were loaded before and stay the
 * caller's. What passes between them is between ranks of the profile; windows are left out, for
 * each world chose its own. Metadata are the first one's, but for those that tell of all. */
int sca_profile_load_worlds(const struct sca_profile *const *worlds, uint32_t n,
                            struct sca_profile **out);
/* Whether some communicator joins the two. Without memory false. */
bool sca_profile_are_joined(const struct sca_profile *a, const struct sca_profile *b);
void sca_profile_free(struct sca_profile *profile);

/* Where one rank at a time is looked at. It takes sca_rank_open_size() zeroed bytes of the
 * caller's, for one thread. */
struct sca_opened;
size_t sca_rank_open_size(const struct sca_profile *profile);
struct sca_opened *sca_rank_open_init(void *memory, const struct sca_profile *profile);

enum sca_rank_tables {
    SCA_OPEN_SITES = 1,
    SCA_OPEN_INTERVALS = 2,
    SCA_OPEN_SAMPLES = 4,
    SCA_OPEN_PEERS = 8,
    SCA_OPEN_COLLECTIVES = 16,
    SCA_OPEN_MESSAGES = 32,
    SCA_OPEN_WINDOWS = 64,
    SCA_OPEN_ALL = 127
};

/* A rank with the tables asked for, until the next is opened with the same memory; of the others
 * there are only the counts. Cannot fail. */
const struct sca_rank *sca_rank_open(struct sca_opened *opened, uint32_t rank, unsigned tables);
/* The same with all tables, whose arrays the caller may change until the next is opened. */
struct sca_rank sca_rank_open_to_change(struct sca_opened *opened, uint32_t rank);
/* Keeps what was changed in the arrays of such a rank. SCA_ENOMEM. */
int sca_rank_open_keep(struct sca_profile *profile, uint32_t rank, const struct sca_rank *changed);

/* A time of this rank (ns since its Init) on the run's time line; clock_known must hold. */
static inline double sca_rank_time(const struct sca_rank *rank, uint64_t ns)
{
    return (double)rank->begin_ns + (double)ns * (1 + rank->drift);
}

/* The file as it was, `size` bytes, with zeros for what is not kept; free() it. NULL: no memory. */
void *sca_kept_file(const struct sca_kept *kept);

/* The value of a metadata key, or fallback. Keys every run has: program, path, build_id, ranks,
 * mpi, version, start, sampling, frequency, oversubscribed (0|1), hosts.
 * Others are listed in doc/FORMATS.md. */
const char *sca_profile_meta(const struct sca_profile *profile, const char *key,
                             const char *fallback);

#endif
