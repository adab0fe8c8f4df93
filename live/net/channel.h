/*
 * One end of a connection between processes that have the same token. Each end proves that it has
 * it, by an answer to what the other drew by lot (challenge and response with HMAC-SHA-256), before
 * anything else is read. Every message carries a code that only the two can make, so that nothing
 * can be put in, changed, left out or repeated. What is sent can be read on the way.
 *
 * Nothing here waits: sca_channel_work() does what can be done at once. A channel owns its socket
 * until sca_channel_end(). One thread.
 */
#ifndef SCA_LIVE_CHANNEL_H
#define SCA_LIVE_CHANNEL_H

#include "net/token.h"

enum {
    SCA_CHANNEL_MOST = 16 << 20, /* bytes of a message */
    SCA_CHANNEL_AROUND = 21      /* bytes on the way beside these: length, type, proof */
};

enum sca_channel_state {
    SCA_CHANNEL_GREETS, /* the other end has not proved that it has the token */
    SCA_CHANNEL_OPEN,
    SCA_CHANNEL_CLOSED /* `why` says why */
};

struct sca_channel_bytes {
    uint8_t *data;
    size_t from, length, room; /* [from, length) is to be sent or read */
};

struct sca_channel {
    int fd;
    bool listens; /* this end took the connection */
    bool greeted; /* this end has said what it says first */
    enum sca_channel_state state;
    const struct sca_token *token;
    uint8_t lot[16], key[SCA_HMAC_BYTES];
    uint64_t sent, received; /* messages */
    struct sca_channel_bytes in, out;
    uint64_t bytes_in, bytes_out; /* in all */
    double began_s;               /* by the monotonic clock */
    char peer[64];                /* its address */
    char why[128];
};

/* A message that was received; `payload` stays until the next call of any function here. */
struct sca_channel_message {
    uint8_t type;
    const uint8_t *payload;
    uint32_t length;
};

/* Takes over a connected (or still connecting) socket. The token stays the caller's. */
void sca_channel_begin(struct sca_channel *c, int fd, bool listens, const struct sca_token *token);
/* Reads and writes what can be at once. False: it is closed now. */
bool sca_channel_work(struct sca_channel *c);
/* The same, but nothing is read, so that no message waits unseen for the next call of poll(). */
bool sca_channel_flush(struct sca_channel *c);
/* What poll() is to wait for. */
short sca_channel_events(const struct sca_channel *c);
/* Queues a message on an open channel. */
void sca_channel_put(struct sca_channel *c, uint8_t type, const void *payload, size_t length);
/* The next message, if it is there; false: none. A wrong one closes the channel. */
bool sca_channel_next(struct sca_channel *c, struct sca_channel_message *out);
/* Bytes that are queued and were not sent yet. */
size_t sca_channel_queued(const struct sca_channel *c);
void sca_channel_end(struct sca_channel *c);

double sca_channel_clock(void); /* monotonic, seconds */

#endif
