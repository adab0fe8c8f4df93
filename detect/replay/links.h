/*
 * Who depends on whom in a trace: every receive finds its send (and a blocked send the receive's
 * posting) by the number on its channel, every collective its members. Built once per trace.
 *
 * Steps have two numbers: their place, rank by rank, which links are built with, and the order in
 * which they are entered (event_order.h), which the replay uses: then what it touches next lies
 * next.
 */
#ifndef SCA_DETECT_LINKS_H
#define SCA_DETECT_LINKS_H

#include "trace/replay_trace.h"

enum { SCA_PLACES_APART = 64 };

struct sca_group {     /* one instance of a collective */
    uint32_t nmembers; /* those that have come, each with one event */
    uint32_t first;    /* into members */
    uint32_t shape;
    uint32_t seen; /* whoever plays: members known to have entered, in their order */
    uint32_t root; /* event of the root, SCA_NO_EVENT if it is not in the trace */
    uint32_t last; /* whoever plays: latest entering, and whose */
    double latest;
};

struct sca_lockings;

struct sca_replay_links {
    const struct sca_trace *trace;
    uint32_t *first_input; /* per event, into input: what it may wait for, messages first */
    uint32_t *input;       /* an event, or a collective that it is in */
    uint8_t *kind; /* beside: enum sca_op_kind; RECV waits for an event that sends, SEND_DONE
                      for one that posts the receive, LOCK for one that let it go (SCA_NO_EVENT
                      until event_order.h has found who had it before), COLLECTIVE and those
                      behind it are collectives */
    struct sca_lockings *locks; /* lockings.h; NULL: none, or numbered anew */
    uint32_t ngroups;
    struct sca_group *groups;
    uint32_t *members; /* events, of lower ranks first */
    uint32_t *near;    /* per SCA_PLACES_APART places: location of the first */
    uint32_t *rank_of; /* per location; NULL: they are the ranks */
    uint32_t *place;   /* per event; NULL: events are numbered by their places */
};

/* Numbered by place. */
struct sca_replay_links *sca_links_build(struct sca_workspace *space,
                                         const struct sca_trace *trace);
/* The same with other numbers: `number` by place, `place` by number, both kept. */
struct sca_replay_links *sca_links_renumber(struct sca_workspace *space,
                                            const struct sca_replay_links *links,
                                            const uint32_t *number, uint32_t *place);
/* Messages that do not fit together: only collectives are left. */
void sca_links_drop_messages(struct sca_replay_links *links);
/* Forgets who has entered which collective. */
void sca_links_reset(struct sca_replay_links *links);

uint32_t sca_links_rank(const struct sca_replay_links *links, uint32_t event);
uint32_t sca_links_location(const struct sca_replay_links *links, uint32_t event);
/* Whether the event is one of the root's. */
bool sca_links_is_root(const struct sca_replay_links *links, const struct sca_group *group,
                       uint32_t event);

/* An event is entered: its collectives know who came last. */
void sca_links_enter(struct sca_replay_links *links, uint32_t event, double time);
/* When an event is left: entered at enter[event], and no earlier than all are that it waits for;
 * those that have not been yet (enter below 0) are left out. *waited_for: the last of these. */
double sca_links_leave(const struct sca_replay_links *links, const double *enter, uint32_t event,
                       uint32_t *waited_for);

#endif
