/*
 * A run that is looked at again and again: the look, what hangs in it, and earlier looks to compare
 * with.
 */
#ifndef SCA_LIVE_SESSION_H
#define SCA_LIVE_SESSION_H

#include "hosts/gather.h"
#include "waits/hangs.h"

struct sca_session {
    const char *directory;     /* as it is named */
    struct sca_gather *gather; /* of a run on several hosts, the caller's; else NULL */
    bool began;
    char start[64];                     /* of the run that was seen first */
    struct sca_look look, before, mark; /* now; the look before; at the snapshot */
    bool has_before, has_mark;
    struct sca_hangs hangs;
    double verdict_s; /* what the last verdict took: 0: there was none */
};

/* Looks again; what was the look is the one before. A run that changes while it is read is read
 * again. 0, or a status of libscalana: then the looks stay as they were. Another run in the same
 * directory is SCALANA_EMISMATCH. */
int sca_session_look(struct sca_session *session, bool verdict);
/* Before a snapshot: of a run on several hosts all comes that a report has use for. 0, or a status
 * with its message. */
int sca_session_gather(struct sca_session *session);
/* The look is what later ones are compared with. */
int sca_session_mark(struct sca_session *session);
/* Where it is read: the directory, or what was gathered. */
const char *sca_session_source(const struct sca_session *session);
void sca_session_end(struct sca_session *session);

#endif
