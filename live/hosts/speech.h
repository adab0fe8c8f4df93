/*
 * What the front and its collectors say to each other (channel.h has the frames around it;
 * doc/FORMATS.md, section 8). Numbers are little-endian or LEB128, so that hosts of any byte order
 * agree.
 */
#ifndef SCA_LIVE_SPEECH_H
#define SCA_LIVE_SPEECH_H

#include "net/channel.h"
#include "sca_wire.h"

#include <stdint.h>

enum sca_speech {
    SCA_SAYS_HELLO = 1, /* a collector to the front: host and port */
    SCA_SAYS_WELCOME,   /* the front: its number */
    SCA_SAYS_GO,        /* the front: its number, and under whom it belongs */
    SCA_SAYS_JOIN,      /* a collector to the one above it: its number */
    SCA_SAYS_LOOK,      /* downwards: number of the look, whether all are there */
    SCA_SAYS_STATE,     /* upwards: what is new of a host's ranks */
    SCA_SAYS_LOST,      /* upwards: number of a collector that has ended */
    SCA_SAYS_BYE,       /* downwards: that was all */
    SCA_SAYS_SERIES     /* upwards: series of some ranks of a host, before its state */
};

enum { SCA_SPEECH_HOST = 256, SCA_SPEECH_NOTE = 512, SCA_SPEECH_RANKS = 1 << 20 };

struct sca_speech_hello {
    char host[SCA_SPEECH_HOST];
    uint16_t port; /* where collectors below it may come to */
};

struct sca_speech_look {
    uint64_t number;
    bool complete; /* nobody else will come: do not listen any more */
    bool series;   /* for a report: those of all ranks are to come before the state */
};

/* Of one host and look. What is new in its ranks' states follows it (sca_copy.h). */
struct sca_speech_state {
    uint32_t id;
    uint64_t number;
    bool over;                  /* the run has ended, and its profile is there */
    char note[SCA_SPEECH_NOTE]; /* why something cannot be read, or where the profile is */
    uint32_t size;              /* of the world */
    uint32_t nranks;
    uint32_t *ranks; /* rising */
};

void sca_speech_put_hello(struct sca_channel *c, const struct sca_speech_hello *hello);
bool sca_speech_get_hello(const struct sca_channel_message *m, struct sca_speech_hello *out);
void sca_speech_put_number(struct sca_channel *c, uint8_t type, uint32_t number);
bool sca_speech_get_number(const struct sca_channel_message *m, uint32_t *out);
void sca_speech_put_go(struct sca_channel *c, uint32_t id, const char *address);
/* `address` has room for SCA_SPEECH_HOST. */
bool sca_speech_get_go(const struct sca_channel_message *m, uint32_t *id, char *address);
void sca_speech_put_look(struct sca_channel *c, const struct sca_speech_look *look);
bool sca_speech_get_look(const struct sca_channel_message *m, struct sca_speech_look *out);

/* A payload: the head of a state, and behind it the bytes of `news`, packed. Its data are the
 * caller's to free, whatever comes back. SCA_ENOMEM. */
int sca_speech_pack_state(const struct sca_speech_state *state, const uint8_t *news, size_t length,
                          struct sca_channel_bytes *out);
/* `ranks` and *news are the caller's to free. SCA_EFORMAT. */
int sca_speech_get_state(const struct sca_channel_message *m, struct sca_speech_state *out,
                         uint8_t **news, size_t *length);
/* Likewise: `series` are of the look of that number (kept_ranks.h). */
int sca_speech_pack_series(uint32_t id, uint64_t number, const uint8_t *series, size_t length,
                           struct sca_channel_bytes *out);
/* *series is the caller's to free. SCA_EFORMAT. */
int sca_speech_get_series(const struct sca_channel_message *m, uint64_t *number, uint8_t **series,
                          size_t *length);
/* Whose state or series it is, without unpacking it. */
bool sca_speech_state_of(const struct sca_channel_message *m, uint32_t *id);

#endif
