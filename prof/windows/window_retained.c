#include "windows/window_retained.h"

#include <stddef.h>

enum { MOST = 16 }; /* as many as the profile may hold besides */

static struct sca_window_piece pieces[MOST];
static uint32_t count;
static struct sca_window_round round;
static bool runs;

const struct sca_window_round *sca_window_round_at(void)
{
    return runs ? &round : NULL;
}

void sca_window_round_begins(struct sca_window_round at)
{
    round = at;
    runs = true;
}

void sca_window_retain(const struct sca_window_piece *piece)
{
    if (count == MOST)
        sca_window_retain_none();
    if (runs)
        pieces[count++] = *piece;
}

void sca_window_retain_none(void)
{
    count = 0;
    runs = false;
}

uint32_t sca_window_retained_count(void)
{
    return count;
}

struct sca_window_piece *sca_window_retained(uint32_t i)
{
    return &pieces[i];
}

bool sca_window_retained_spoilt(void)
{
    for (uint32_t i = 0; i < count; i++)
        if (pieces[i].spoilt)
            return true;
    return false;
}
