#include "hosts/host.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>

static void count(struct sca_host *h, uint32_t bytes)
{
    if (!h->answered) {
        h->first_bytes = bytes + SCA_CHANNEL_AROUND;
        return;
    }
    h->later_bytes += bytes + SCA_CHANNEL_AROUND;
    h->later++;
}

static void take(struct sca_host *h, const struct sca_speech_state *s)
{
    h->answered = s->number;
    h->said_s = sca_channel_clock();
    h->over = s->over;
    snprintf(h->note, sizeof h->note, "%s", s->note);
}

/* Older ones do not fit the state any more. */
static void forget_series(struct sca_host *h, uint64_t look)
{
    if (h->series && h->series != look) {
        sca_kept_ranks_drop_series(&h->ranks);
        h->series = 0;
    }
}

static bool lose(struct sca_host *h)
{
    snprintf(h->note, sizeof h->note, "%s", sca_error_message());
    sca_kept_ranks_free(&h->ranks);
    h->lost = true;
    return false;
}

bool sca_host_hear_series(struct sca_host *h, const struct sca_channel_message *m)
{
    uint64_t number;
    uint8_t *series;
    size_t length;
    struct sca_reader r;
    if (sca_speech_get_series(m, &number, &series, &length) != SCA_OK)
        return lose(h);
    forget_series(h, number);
    h->series_bytes = (h->series ? h->series_bytes : 0) + m->length + SCA_CHANNEL_AROUND;
    h->series = number;
    sca_wire_reader_init(&r, series, length);
    int status = sca_kept_ranks_take_series(&h->ranks, &r);
    free(series);
    return status == SCA_OK ? true : lose(h);
}

bool sca_host_hear(struct sca_host *h, const struct sca_channel_message *m)
{
    struct sca_speech_state s;
    struct sca_reader r;
    uint8_t *news;
    size_t length;
    int status = sca_speech_get_state(m, &s, &news, &length);
    if (status == SCA_OK) {
        count(h, m->length);
        if (h->series != h->answered) /* the state that they are of has never come */
            forget_series(h, s.number);
        sca_kept_ranks_set(&h->ranks, s.ranks, s.nranks, &h->ended);
        sca_wire_reader_init(&r, news, length);
        status = sca_copies_receive(h->ranks.copy, h->ranks.n, &r);
    }
    free(s.ranks);
    free(news);
    if (status != SCA_OK)
        return lose(h);
    take(h, &s);
    forget_series(h, s.number);
    return true;
}

void sca_host_free(struct sca_host *h)
{
    sca_kept_ranks_free(&h->ranks);
    sca_kept_ranks_free(&h->ended);
    *h = (struct sca_host){0};
}
