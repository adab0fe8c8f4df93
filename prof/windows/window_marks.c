#include "windows/window_marks.h"

static struct sca_window_mark marks[SCA_MOST_MARKS];
static uint32_t count;
static unsigned of; /* the loop */

void sca_window_marks_add(unsigned loop, struct sca_window_mark mark)
{
    if (loop != of)
        count = 0;
    of = loop;
    if (count < SCA_MOST_MARKS)
        marks[count++] = mark;
}

void sca_window_marks_clear(void)
{
    count = 0;
}

void sca_window_marks_move(uint32_t events, uint32_t ops)
{
    for (uint32_t i = 0; i < count; i++) {
        marks[i].events -= events;
        marks[i].ops -= ops;
    }
}

uint32_t sca_window_marks_count(void)
{
    return count;
}

uint32_t sca_window_marks_events(void)
{
    return count ? marks[count - 1].events : 0;
}

const struct sca_window_mark *sca_window_marks_get(uint32_t i)
{
    return &marks[i];
}
