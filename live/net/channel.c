#include "net/channel.h"
#include "sca_wire.h"
#include "sca_words.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* The last byte is the version of all that follows. */
static const uint8_t greeting[8] = {'S', 'C', 'A', 'L', 'I', 'V', 'E', 1};

enum {
    LOT = 16,
    FIRST = sizeof greeting + LOT,   /* of who listens */
    ANSWER = FIRST + SCA_HMAC_BYTES, /* of who connects */
    HEAD = 5,                        /* length and type of a message */
    CODE = 16,                       /* bytes of its HMAC that travel */
    CHUNK = 65536,
    MOST_HELD = SCA_CHANNEL_MOST + HEAD + CODE
};
_Static_assert(HEAD + CODE == SCA_CHANNEL_AROUND, "what callers count");

double sca_channel_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- bytes that wait ---- */

static void append(struct sca_channel_bytes *b, const void *data, size_t n)
{
    if (b->from == b->length)
        b->from = b->length = 0;
    if (b->length + n > b->room) {
        b->room = b->length + n + (b->length + n) / 2;
        b->data = sca_must(realloc(b->data, b->room));
    }
    if (n)
        memcpy(b->data + b->length, data, n);
    b->length += n;
}

static size_t held(const struct sca_channel_bytes *b)
{
    return b->length - b->from;
}

static bool close_with(struct sca_channel *c, const char *why)
{
    if (c->state != SCA_CHANNEL_CLOSED)
        snprintf(c->why, sizeof c->why, "%s", why);
    c->state = SCA_CHANNEL_CLOSED;
    return false;
}

/* ---- both ends have the token ---- */

static void prove(const struct sca_channel *c, char who, const uint8_t *listener,
                  const uint8_t *connector, uint8_t out[SCA_HMAC_BYTES])
{
    const struct sca_hmac_part parts[] = {
        {greeting, sizeof greeting}, {&who, 1}, {listener, LOT}, {connector, LOT}};
    sca_hmac(c->token->bytes, parts, 4, out);
}

static void greet_first(struct sca_channel *c)
{
    append(&c->out, greeting, sizeof greeting);
    append(&c->out, c->lot, LOT);
    c->greeted = true;
}

static bool is_greeting(struct sca_channel *c, const uint8_t *at)
{
    if (memcmp(at, greeting, sizeof greeting - 1))
        return close_with(c, "it does not speak as scalana live does");
    if (at[sizeof greeting - 1] != greeting[sizeof greeting - 1])
        return close_with(c, "it is of another version of ScalAna");
    return true;
}

static void open_channel(struct sca_channel *c, const uint8_t *listener, const uint8_t *connector)
{
    prove(c, 'K', listener, connector, c->key);
    c->state = SCA_CHANNEL_OPEN;
}

/* Who connects answers, and then asks for an answer itself. */
static bool answer(struct sca_channel *c)
{
    uint8_t mine[SCA_HMAC_BYTES];
    const uint8_t *at = c->in.data + c->in.from;
    if (held(&c->in) < FIRST)
        return true;
    if (!c->greeted) {
        if (!is_greeting(c, at))
            return false;
        prove(c, 'C', at + sizeof greeting, c->lot, mine);
        greet_first(c);
        append(&c->out, mine, sizeof mine);
    }
    if (held(&c->in) < FIRST + SCA_HMAC_BYTES)
        return true;
    prove(c, 'L', at + sizeof greeting, c->lot, mine);
    if (!sca_hmac_equal(mine, at + FIRST, sizeof mine))
        return close_with(c, "it has not the token");
    open_channel(c, at + sizeof greeting, c->lot);
    c->in.from += FIRST + SCA_HMAC_BYTES;
    return true;
}

static bool check_answer(struct sca_channel *c)
{
    uint8_t mine[SCA_HMAC_BYTES];
    const uint8_t *at = c->in.data + c->in.from;
    if (held(&c->in) >= sizeof greeting && !is_greeting(c, at))
        return false;
    if (held(&c->in) < ANSWER)
        return true;
    prove(c, 'C', c->lot, at + sizeof greeting, mine);
    if (!sca_hmac_equal(mine, at + FIRST, sizeof mine))
        return close_with(c, "it has not the token");
    prove(c, 'L', c->lot, at + sizeof greeting, mine);
    append(&c->out, mine, sizeof mine);
    open_channel(c, c->lot, at + sizeof greeting);
    c->in.from += ANSWER;
    return true;
}

/* ---- messages ---- */

static void code_of(const struct sca_channel *c, bool own, uint64_t number, const uint8_t *head,
                    const void *payload, size_t length, uint8_t out[SCA_HMAC_BYTES])
{
    uint8_t order[9];
    struct sca_writer w;
    sca_wire_writer_init(&w, order, sizeof order);
    sca_wire_put_u8(&w, own == c->listens ? 'L' : 'C');
    sca_wire_put_u64(&w, number);
    const struct sca_hmac_part parts[] = {{order, sizeof order}, {head, HEAD}, {payload, length}};
    sca_hmac(c->key, parts, 3, out);
}

void sca_channel_put(struct sca_channel *c, uint8_t type, const void *payload, size_t length)
{
    uint8_t head[HEAD], code[SCA_HMAC_BYTES];
    struct sca_writer w;
    if (c->state != SCA_CHANNEL_OPEN)
        return;
    if (length > SCA_CHANNEL_MOST) {
        close_with(c, "a message that is too long");
        return;
    }
    sca_wire_writer_init(&w, head, sizeof head);
    sca_wire_put_u32(&w, (uint32_t)length);
    sca_wire_put_u8(&w, type);
    code_of(c, true, c->sent++, head, payload, length, code);
    append(&c->out, head, HEAD);
    append(&c->out, payload, length);
    append(&c->out, code, CODE);
}

bool sca_channel_next(struct sca_channel *c, struct sca_channel_message *out)
{
    uint8_t code[SCA_HMAC_BYTES];
    const uint8_t *at = c->in.data + c->in.from;
    struct sca_reader r;
    if (c->state != SCA_CHANNEL_OPEN || held(&c->in) < HEAD)
        return false;
    sca_wire_reader_init(&r, at, HEAD);
    out->length = sca_wire_get_u32(&r);
    out->type = sca_wire_get_u8(&r);
    if (out->length > SCA_CHANNEL_MOST)
        return close_with(c, "a message that is too long");
    if (held(&c->in) < HEAD + (size_t)out->length + CODE)
        return false;
    out->payload = at + HEAD;
    code_of(c, false, c->received++, at, out->payload, out->length, code);
    if (!sca_hmac_equal(code, out->payload + out->length, CODE))
        return close_with(c, "a message that it did not write");
    c->in.from += HEAD + (size_t)out->length + CODE;
    return true;
}

/* ---- the socket ---- */

/* A socket of both families shows IPv4 addresses as IPv6 ones (RFC 4291, 2.5.5.2). */
static void shorten(char *address)
{
    static const char mapped[] = "::ffff:";
    if (!strncmp(address, mapped, sizeof mapped - 1) && strchr(address, '.'))
        memmove(address, address + sizeof mapped - 1, strlen(address) - sizeof mapped + 2);
}

void sca_channel_begin(struct sca_channel *c, int fd, bool listens, const struct sca_token *token)
{
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    *c = (struct sca_channel){
        .fd = fd, .listens = listens, .token = token, .began_s = sca_channel_clock()};
    if (getpeername(fd, (struct sockaddr *)&from, &size) ||
        getnameinfo((struct sockaddr *)&from, size, c->peer, sizeof c->peer, NULL, 0,
                    NI_NUMERICHOST))
        snprintf(c->peer, sizeof c->peer, "unknown");
    shorten(c->peer);
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    if (getrandom(c->lot, sizeof c->lot, 0) != sizeof c->lot)
        close_with(c, "no random bytes");
    else if (listens)
        greet_first(c);
}

/* Of who has not proved anything no more than that is read. */
static size_t may_read(const struct sca_channel *c)
{
    size_t most = c->state == SCA_CHANNEL_OPEN ? MOST_HELD
                  : c->listens                 ? ANSWER
                                               : FIRST + SCA_HMAC_BYTES;
    return most > held(&c->in) ? most - held(&c->in) : 0;
}

static bool read_some(struct sca_channel *c)
{
    uint8_t chunk[CHUNK];
    size_t most = may_read(c);
    if (!most)
        return true;
    ssize_t got = recv(c->fd, chunk, most < sizeof chunk ? most : sizeof chunk, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR || errno == ENOTCONN
                   ? true
                   : close_with(c, strerror(errno));
    if (!got)
        return close_with(c, c->state == SCA_CHANNEL_OPEN ? "it has ended" : "it went away");
    if (c->in.from > CHUNK) {
        memmove(c->in.data, c->in.data + c->in.from, held(&c->in));
        c->in.length -= c->in.from;
        c->in.from = 0;
    }
    append(&c->in, chunk, (size_t)got);
    c->bytes_in += (size_t)got;
    return true;
}

static bool write_some(struct sca_channel *c)
{
    while (held(&c->out)) {
        ssize_t put =
            send(c->fd, c->out.data + c->out.from, held(&c->out), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return errno == EAGAIN || errno == ENOTCONN ? true : close_with(c, strerror(errno));
        c->out.from += (size_t)put;
        c->bytes_out += (size_t)put;
    }
    return true;
}

bool sca_channel_work(struct sca_channel *c)
{
    if (c->state == SCA_CHANNEL_CLOSED || !read_some(c))
        return false;
    if (c->state == SCA_CHANNEL_GREETS && !(c->listens ? check_answer(c) : answer(c)))
        return false;
    return write_some(c);
}

bool sca_channel_flush(struct sca_channel *c)
{
    return c->state != SCA_CHANNEL_CLOSED && write_some(c);
}

short sca_channel_events(const struct sca_channel *c)
{
    return (short)((may_read(c) ? POLLIN : 0) | (held(&c->out) ? POLLOUT : 0));
}

size_t sca_channel_queued(const struct sca_channel *c)
{
    return c->state == SCA_CHANNEL_CLOSED ? 0 : held(&c->out);
}

void sca_channel_end(struct sca_channel *c)
{
    if (c->fd >= 0)
        close(c->fd);
    free(c->in.data);
    free(c->out.data);
    memset(c, 0, sizeof *c);
    c->fd = -1;
    c->state = SCA_CHANNEL_CLOSED;
}
