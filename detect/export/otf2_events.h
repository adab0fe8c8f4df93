/*
 * The events of a trace of recorded iterations, rank by rank: regions that are entered and left,
 * messages and collectives. Time is that of a replay, as if each rank had a core; a piece of
 * windows begins when it did. All in the workspace.
 */
#ifndef SCA_DETECT_OTF2_EVENTS_H
#define SCA_DETECT_OTF2_EVENTS_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "timeline/pieces.h"

enum sca_otf2_what {
    SCA_OTF2_ENTER,
    SCA_OTF2_LEAVE,
    SCA_OTF2_SEND,
    SCA_OTF2_RECEIVE,
    SCA_OTF2_MEET, /* a collective begins */
    SCA_OTF2_PART  /* and ends */
};

struct sca_otf2_event {
    uint64_t time; /* ns; never falls within a rank */
    uint64_t bytes;
    uint32_t of;  /* a region, from 0; of messages and collectives the profile's communicator */
    int32_t peer; /* world rank; of a collective its root, -1: none */
    int32_t tag;
    uint8_t what;
};

struct sca_otf2_list {
    uint32_t n, room;
    struct sca_otf2_event *of;
};

/* A place in the program, that computes or is a call. */
struct sca_otf2_region {
    uint32_t vertex;
    bool call;
};

struct sca_otf2_events {
    struct sca_otf2_list *ranks; /* [nranks] */
    uint32_t nregions;
    struct sca_otf2_region *regions;
    uint64_t end; /* ns */
};

void sca_otf2_events_make(struct sca_workspace *space, const struct sca_ppg *ppg,
                          const struct sca_ppg_run *run, const struct sca_pieces *pieces,
                          struct sca_otf2_events *out);

#endif
