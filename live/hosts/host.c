#include "hosts/host.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>

enum { AROUND = 21 /* bytes of a message beside its payload */ };

static void count(struct sca_host *h, uint32_t bytes)
{
    if (!h->answered) {
        h->first_bytes = bytes + AROUND;
        return;
    }
    h->later_bytes += bytes + AROUND;
    h->later++;
}

static void take(struct sca_host *h, const struct sca_speech_state *s)
{
    h->answered = s->number;
    h->said_s = sca_channel_clock();
    h->over = s->over;
    snprintf(h->note, sizeof h->note, "%s", s->note);
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
        sca_kept_ranks_set(&h->ranks, s.ranks, s.nranks, &h->ended);
        sca_wire_reader_init(&r, news, length);
        status = sca_copies_receive(h->ranks.copy, h->ranks.n, &r);
    }
    if (status == SCA_OK)
        take(h, &s);
    else
        snprintf(h->note, sizeof h->note, "%s", sca_error_message());
    free(s.ranks);
    free(news);
    if (status != SCA_OK)
        sca_kept_ranks_free(&h->ranks);
    h->lost |= status != SCA_OK;
    return status == SCA_OK;
}

void sca_host_free(struct sca_host *h)
{
    sca_kept_ranks_free(&h->ranks);
    sca_kept_ranks_free(&h->ended);
    *h = (struct sca_host){0};
}
