#include "hosts/collector_state.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "sca_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AT_ONCE = 32 /* ranks whose series are one message */ };

/* A run that ends well takes its parts away; where rank 0 was, there is a profile then. */
static void note_end(const struct sca_collector_state *s, struct sca_speech_state *say)
{
    char *profile = sca_words_format("%s/%s", s->run, SCA_PROFILE_FILE);
    if (!access(profile, F_OK)) {
        say->over = true;
        snprintf(say->note, sizeof say->note, "the profile is in %.480s", s->run);
    } else if (access(s->run, F_OK)) {
        say->over = s->had_ranks;
        if (!s->had_ranks)
            snprintf(say->note, sizeof say->note, "%.400s: %.100s", s->run, strerror(errno));
    } else if (access(s->run, R_OK | X_OK)) {
        snprintf(say->note, sizeof say->note, "%.400s: %.100s", s->run, strerror(errno));
    } else if (!*say->note && !s->had_ranks) {
        snprintf(say->note, sizeof say->note, "%.400s: no ranks of this host in it", s->run);
    }
    free(profile);
}

static void list_ranks(const struct sca_kept_ranks *now, struct sca_speech_state *say)
{
    say->nranks = now->n;
    say->ranks = sca_must(calloc(now->n + 1ul, sizeof *say->ranks));
    for (uint32_t i = 0; i < now->n; i++) {
        say->ranks[i] = now->copy[i].rank;
        say->size = now->copy[i].header.size;
    }
}

static int pack(struct sca_collector_state *s, const struct sca_kept_ranks *now, unsigned layers,
                const struct sca_speech_state *say, struct sca_channel_bytes *out)
{
    size_t room = sca_copies_bound(now->copy, now->n);
    uint8_t *news = malloc(room);
    struct sca_writer w;
    if (!news)
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_wire_writer_init(&w, news, room);
    sca_kept_ranks_set(&s->known, say->ranks, say->nranks, NULL);
    int status = sca_copies_send(s->known.copy, now->copy, now->n, layers, &w);
    if (status == SCA_OK)
        status = sca_speech_pack_state(say, news, w.length, out);
    free(news);
    return status;
}

static bool spend(struct sca_collector_state *s, const struct sca_kept_ranks *now, unsigned layers,
                  const struct sca_channel_bytes *message)
{
    return sca_allowance_spend(&s->allowance, now->n, layers, message->length + SCA_CHANNEL_AROUND);
}

/* Totals that are older than the series do not fit them: they come with these, and later looks pay
 * for it. */
static int send_news(struct sca_collector_state *s, const struct sca_kept_ranks *now, bool series,
                     const struct sca_speech_state *say, struct sca_channel *to)
{
    struct sca_channel_bytes message = {0};
    unsigned layers = sca_allowance_layers(&s->allowance, now->n) | (series ? SCA_COPY_TOTALS : 0u);
    int status = pack(s, now, layers, say, &message);
    if (status == SCA_OK && !spend(s, now, layers, &message)) {
        free(message.data);
        sca_kept_ranks_free(&s->known);
        layers = sca_allowance_layers(&s->allowance, now->n);
        status = pack(s, now, layers, say, &message);
        spend(s, now, layers, &message);
    }
    if (status == SCA_OK)
        sca_channel_put(to, SCA_SAYS_STATE, message.data, message.length);
    free(message.data);
    return status;
}

/* In several messages, so that none is too long. */
static int send_series(const struct sca_kept_ranks *now, const struct sca_speech_state *say,
                       struct sca_channel *to)
{
    int status = SCA_OK;
    for (uint32_t i = 0; status == SCA_OK && i < now->n; i += AT_ONCE) {
        struct sca_channel_bytes message;
        size_t length;
        uint32_t n = now->n - i < AT_ONCE ? now->n - i : AT_ONCE;
        uint8_t *series = sca_kept_ranks_pack_series(now, i, n, &length);
        status = sca_speech_pack_series(say->id, say->number, series, length, &message);
        if (status == SCA_OK)
            sca_channel_put(to, SCA_SAYS_SERIES, message.data, message.length);
        free(message.data);
        free(series);
    }
    return status;
}

int sca_collector_state_send(struct sca_collector_state *s, uint32_t id,
                             const struct sca_speech_look *look, struct sca_channel *to)
{
    struct sca_kept_ranks now;
    struct sca_speech_state say = {.id = id, .number = look->number};
    sca_kept_ranks_take(&now, s->run, look->series, say.note, sizeof say.note);
    if (!now.n)
        note_end(s, &say);
    s->had_ranks |= now.n != 0;
    list_ranks(&now, &say);
    int status = look->series ? send_series(&now, &say, to) : SCA_OK;
    if (status == SCA_OK)
        status = send_news(s, &now, look->series, &say, to);
    free(say.ranks);
    sca_kept_ranks_free(&now);
    return status;
}

void sca_collector_state_forget(struct sca_collector_state *s)
{
    sca_kept_ranks_free(&s->known);
    s->allowance = (struct sca_allowance){0};
}
