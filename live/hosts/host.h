/*
 * A host of a job, as the front sees it: what its collector last said.
 */
#ifndef SCA_LIVE_HOST_H
#define SCA_LIVE_HOST_H

#include "hosts/kept_ranks.h"
#include "hosts/speech.h"

struct sca_host {
    uint32_t id;
    char name[SCA_SPEECH_HOST], address[64];
    uint16_t port;     /* where collectors below may come to; 0: nowhere */
    uint32_t parent;   /* number of the collector above it; 0: it is the front's own */
    uint32_t children; /* sent to it */
    bool lost;         /* its collector has ended, or said what cannot be */
    bool replaced;     /* another one has come from there since */
    bool over;         /* the run has ended there */
    double back_s; /* until then it may come back: the one above it has ended; monotonic clock */
    uint64_t answered;                 /* the last look */
    double said_s;                     /* when, by the monotonic clock */
    uint64_t first_bytes, later_bytes; /* of the first answer, and of those after it */
    uint32_t later;                    /* how many those are */
    uint64_t series;       /* the look that the ranks' series are of; 0: there are none */
    uint64_t series_bytes; /* of them */
    char note[SCA_SPEECH_NOTE];
    struct sca_kept_ranks ranks, ended; /* running; whose part is gone: they have finished */
};

/* Takes what it says; false: that cannot be, and the host is lost. */
bool sca_host_hear(struct sca_host *host, const struct sca_channel_message *m);
/* The same of series, which come before the state of their look. */
bool sca_host_hear_series(struct sca_host *host, const struct sca_channel_message *m);
void sca_host_free(struct sca_host *host);

#endif
