/*
 * Recorded iterations of the largest run as ranks by virtual time, for the page and the viewer:
 * what each rank does in a typical, the slowest and the rarest window, and the same with the first
 * cause mended. They are the replays that causes are priced by.
 *
 * Owned by the report; in its file where that was asked for. Of very many ranks some are rows, and
 * a window is cut where it would have too much to draw. Seconds, from the window's begin.
 */
#ifndef SCA_TIMELINES_H
#define SCA_TIMELINES_H

#include <stdbool.h>
#include <stdint.h>

enum { SCA_TIMELINE_COMPUTES = 0 }; /* else 1 + enum sca_wait_class: it waits */

struct sca_report_span {
    double begin, end;
    uint32_t row, vertex; /* the vertex where it computes, or the call that it waits in */
    uint32_t by;          /* the rank whose coming ended the wait; UINT32_MAX: none */
    uint8_t kind;
    bool critical; /* on the critical path */
};

struct sca_report_message {
    uint32_t from, to;     /* rows */
    double sent, received; /* when the call that sends is entered, and the one that receives left */
};

struct sca_report_meeting { /* of a collective */
    uint32_t low, high;     /* rows, the members lie within */
    double first, last;     /* when the first comes, and the last */
    uint32_t vertex;        /* the call */
};

struct sca_report_play {
    double end; /* when the last rank is done; beyond `shown` of the timeline where it is cut */
    double load_balance, serialisation; /* POP's, of the whole of it; NAN: not known */
    uint32_t nspans, nmessages, nmeetings;
    struct sca_report_span *spans; /* by row, then time */
    struct sca_report_message *messages;
    struct sca_report_meeting *meetings;
};

struct sca_report_timeline {
    const char *name;    /* typical|slowest|rarest */
    double stands_for;   /* windows of the run */
    double shown;        /* seconds of it that are here */
    uint32_t iterations; /* in it; 0: not known */
    double begin_s;      /* seconds of the run; < 0: not known */
    uint32_t nrows, *ranks;
    uint32_t *calls; /* of each row, the MPI calls that are shown: the same ones in both plays;
                        NULL: read from a file */
    struct sca_report_play measured, mended; /* mended.end 0: no cause, or no windows
                                             stand for the run */
};

struct sca_report_timelines {
    uint32_t count; /* 0: there are no windows, or several processes shared the analysis */
    struct sca_report_timeline *of;
    const char *const *kinds; /* names of the kinds of spans: "computes", "late-sender" ... */
    uint32_t nkinds;
    bool kept; /* in the report's file */
};

#endif
