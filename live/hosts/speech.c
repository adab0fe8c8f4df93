#include "hosts/speech.h"
#include "sca_error.h"
#include "sca_words.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SMALL = 1024, NUMBERS = 16, HEAD = 1024, PER_RANK = 6, MOST_NEWS = 256 << 20 };

static bool get_text(struct sca_reader *r, char *text, size_t size)
{
    size_t n;
    const char *from = sca_wire_get_string(r, &n);
    if (!from || n >= size)
        return false;
    memcpy(text, from, n);
    text[n] = '\0';
    return true;
}

static bool is_whole(const struct sca_reader *r)
{
    return !r->failed && !sca_wire_left(r);
}

void sca_speech_put_hello(struct sca_channel *c, const struct sca_speech_hello *hello)
{
    uint8_t bytes[SMALL];
    struct sca_writer w;
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_wire_put_string(&w, hello->host);
    sca_wire_put_varint(&w, hello->port);
    sca_channel_put(c, SCA_SAYS_HELLO, bytes, w.length);
}

bool sca_speech_get_hello(const struct sca_channel_message *m, struct sca_speech_hello *out)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, m->payload, m->length);
    bool named = get_text(&r, out->host, sizeof out->host);
    uint64_t port = sca_wire_get_varint(&r);
    out->port = (uint16_t)port;
    return named && port <= UINT16_MAX && is_whole(&r);
}

void sca_speech_put_number(struct sca_channel *c, uint8_t type, uint32_t number)
{
    uint8_t bytes[16];
    struct sca_writer w;
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_wire_put_varint(&w, number);
    sca_channel_put(c, type, bytes, w.length);
}

bool sca_speech_get_number(const struct sca_channel_message *m, uint32_t *out)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, m->payload, m->length);
    uint64_t number = sca_wire_get_varint(&r);
    *out = (uint32_t)number;
    return number <= UINT32_MAX && is_whole(&r);
}

void sca_speech_put_go(struct sca_channel *c, uint32_t id, const char *address)
{
    uint8_t bytes[SMALL];
    struct sca_writer w;
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_wire_put_varint(&w, id);
    sca_wire_put_string(&w, address);
    sca_channel_put(c, SCA_SAYS_GO, bytes, w.length);
}

bool sca_speech_get_go(const struct sca_channel_message *m, uint32_t *id, char *address)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, m->payload, m->length);
    uint64_t number = sca_wire_get_varint(&r);
    *id = (uint32_t)number;
    return number <= UINT32_MAX && get_text(&r, address, SCA_SPEECH_HOST) && is_whole(&r);
}

void sca_speech_put_look(struct sca_channel *c, const struct sca_speech_look *look)
{
    uint8_t bytes[16];
    struct sca_writer w;
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_wire_put_varint(&w, look->number);
    sca_wire_put_u8(&w, look->complete);
    sca_wire_put_u8(&w, look->series);
    sca_channel_put(c, SCA_SAYS_LOOK, bytes, w.length);
}

bool sca_speech_get_look(const struct sca_channel_message *m, struct sca_speech_look *out)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, m->payload, m->length);
    out->number = sca_wire_get_varint(&r);
    out->complete = sca_wire_get_u8(&r);
    out->series = sca_wire_get_u8(&r);
    return is_whole(&r);
}

/* ---- states ---- */

static void put_head(struct sca_writer *w, const struct sca_speech_state *s, size_t length)
{
    uint32_t before = 0;
    sca_wire_put_varint(w, s->id);
    sca_wire_put_varint(w, s->number);
    sca_wire_put_u8(w, s->over);
    sca_wire_put_string(w, s->note);
    sca_wire_put_varint(w, s->size);
    sca_wire_put_varint(w, length);
    sca_wire_put_varint(w, s->nranks);
    for (uint32_t i = 0; i < s->nranks; i++) {
        sca_wire_put_varint(w, s->ranks[i] - before);
        before = s->ranks[i];
    }
}

/* The plain bytes that a message of the host has. */
static int pack(uint32_t id, const struct sca_writer *plain, struct sca_channel_bytes *out)
{
    uLongf packed = compressBound(plain->length);
    struct sca_writer head;
    *out = (struct sca_channel_bytes){.data = malloc(packed + NUMBERS)};
    if (!out->data)
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_wire_writer_init(&head, out->data, NUMBERS);
    sca_wire_put_varint(&head, id);
    sca_wire_put_varint(&head, plain->length);
    if (plain->failed ||
        compress2(out->data + head.length, &packed, plain->data, plain->length, 9) != Z_OK)
        return sca_fail(SCA_ENOMEM, "cannot pack a look");
    out->length = head.length + packed;
    return SCA_OK;
}

int sca_speech_pack_state(const struct sca_speech_state *state, const uint8_t *news, size_t length,
                          struct sca_channel_bytes *out)
{
    size_t raw = HEAD + PER_RANK * (size_t)state->nranks + length;
    uint8_t *plain = malloc(raw);
    struct sca_writer w;
    *out = (struct sca_channel_bytes){0};
    if (!plain)
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_wire_writer_init(&w, plain, raw);
    put_head(&w, state, length);
    sca_wire_put_bytes(&w, news, length);
    int status = pack(state->id, &w, out);
    free(plain);
    return status;
}

int sca_speech_pack_series(uint32_t id, uint64_t number, const uint8_t *series, size_t length,
                           struct sca_channel_bytes *out)
{
    size_t raw = NUMBERS + length;
    uint8_t *plain = malloc(raw);
    struct sca_writer w;
    *out = (struct sca_channel_bytes){0};
    if (!plain)
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_wire_writer_init(&w, plain, raw);
    sca_wire_put_varint(&w, number);
    sca_wire_put_bytes(&w, series, length);
    int status = pack(id, &w, out);
    free(plain);
    return status;
}

static int wrong_state(void)
{
    return sca_fail(SCA_EFORMAT, "a look that is no look");
}

bool sca_speech_state_of(const struct sca_channel_message *m, uint32_t *id)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, m->payload, m->length);
    *id = (uint32_t)sca_wire_get_varint(&r);
    return !r.failed;
}

static bool get_ranks(struct sca_reader *r, struct sca_speech_state *s)
{
    uint64_t before = 0;
    s->nranks = (uint32_t)sca_wire_get_count(r, 1);
    if (r->failed || s->nranks > SCA_SPEECH_RANKS)
        return false;
    s->ranks = sca_must(calloc(s->nranks + 1ul, sizeof *s->ranks));
    for (uint32_t i = 0; i < s->nranks; i++) {
        uint64_t rank = before + sca_wire_get_varint(r);
        if (rank >= s->size || (i && rank <= before))
            return false;
        s->ranks[i] = (uint32_t)(before = rank);
    }
    return !r->failed;
}

static bool get_head(struct sca_reader *r, struct sca_speech_state *s, size_t *length)
{
    s->id = (uint32_t)sca_wire_get_varint(r);
    s->number = sca_wire_get_varint(r);
    s->over = sca_wire_get_u8(r);
    if (!get_text(r, s->note, sizeof s->note))
        return false;
    uint64_t size = sca_wire_get_varint(r);
    s->size = (uint32_t)size;
    *length = sca_wire_get_varint(r);
    return size <= SCA_SPEECH_RANKS && get_ranks(r, s) && *length == sca_wire_left(r);
}

/* The raw length is bounded before anything is made of it. */
static uint8_t *unpack(const struct sca_channel_message *m, size_t *raw)
{
    struct sca_reader r;
    sca_wire_reader_init(&r, m->payload, m->length);
    sca_wire_get_varint(&r);
    uint64_t length = sca_wire_get_varint(&r);
    if (r.failed || length > MOST_NEWS)
        return NULL;
    uint8_t *plain = malloc(length + 1);
    uLongf got = length;
    if (plain && (uncompress(plain, &got, m->payload + r.position, sca_wire_left(&r)) != Z_OK ||
                  got != length)) {
        free(plain);
        return NULL;
    }
    *raw = length;
    return plain;
}

int sca_speech_get_state(const struct sca_channel_message *m, struct sca_speech_state *out,
                         uint8_t **news, size_t *length)
{
    size_t raw = 0;
    struct sca_reader r;
    *out = (struct sca_speech_state){0};
    uint8_t *plain = unpack(m, &raw);
    *news = NULL;
    if (!plain)
        return wrong_state();
    sca_wire_reader_init(&r, plain, raw);
    if (get_head(&r, out, length)) {
        *news = plain;
        memmove(plain, plain + r.position, *length);
        return SCA_OK;
    }
    free(out->ranks);
    free(plain);
    *out = (struct sca_speech_state){0};
    return wrong_state();
}

int sca_speech_get_series(const struct sca_channel_message *m, uint64_t *number, uint8_t **series,
                          size_t *length)
{
    size_t raw = 0;
    struct sca_reader r;
    uint8_t *plain = *series = unpack(m, &raw);
    *length = 0;
    if (!plain)
        return wrong_state();
    sca_wire_reader_init(&r, plain, raw);
    *number = sca_wire_get_varint(&r);
    if (!r.failed) {
        *length = sca_wire_left(&r);
        memmove(plain, plain + r.position, *length);
        return SCA_OK;
    }
    free(plain);
    *series = NULL;
    return wrong_state();
}
