/* What changes over time, as --view=series says it. */
#include "views/series.h"

static const char *ranks_of(struct sca_table *t, const struct sca_pattern *p)
{
    enum { SHOWN = 8 };
    const char *text = p->nranks == 1 ? "rank" : "ranks";
    if (!p->nranks)
        return "the ranks";
    for (uint32_t i = 0; i < p->nranks && i < SHOWN; i++)
        text = sca_table_text(t, "%s%s%u", text,
                              !i                  ? " "
                              : i + 1 < p->nranks ? ", "
                                                  : " and ",
                              p->ranks[i]);
    if (p->nranks > SHOWN)
        text = sca_table_text(t, "%s and %u more", text, p->nranks - SHOWN);
    return text;
}

/* Its first iterations, where points tell them. */
static const char *period_words(struct sca_table *t, const struct sca_pattern *p, const char *acts)
{
    bool is_exact = p->within == 1 && p->periods == 1 && !p->or_less;
    const char *first =
        sca_table_text(t, "%s%llu, %llu, ...", is_exact ? "" : "about ",
                       (unsigned long long)p->first, (unsigned long long)(p->first + p->period));
    if (!p->nranks)
        return sca_table_text(t, "%c%s takes %.2gx as long on its slowest rank: %s",
                              acts[0] - 'a' + 'A', acts + 1, p->ratio, first);
    return sca_table_text(t, "%c%s, %s take%s %.2gx the time as compared with the others: %s",
                          acts[0] - 'a' + 'A', acts + 1, ranks_of(t, p), p->nranks == 1 ? "s" : "",
                          p->ratio, first);
}

static const char *step_words(struct sca_table *t, const struct sca_pattern *p, const char *acts)
{
    bool one = p->nranks == 1;
    return sca_table_text(t, "%c%s, %s take%s %.2gx the time%s.", acts[0] - 'a' + 'A', acts + 1,
                          ranks_of(t, p), one ? "s" : "", p->ratio,
                          p->nranks ? " as compared with the others" : "");
}

static const char *drift_words(struct sca_table *t, const struct sca_pattern *p)
{
    char begin[SCA_FIGURE], end[SCA_FIGURE];
    const char *forecast = "";
    if (p->beyond > 0)
        forecast = sca_table_text(t, " If it goes on, at iteration %llu: %.2gx.",
                                  (unsigned long long)(2 * p->last - p->first + 1), p->beyond);
    sca_series_seconds(begin, p->begin);
    sca_series_seconds(end, p->end);
    return sca_table_text(t,
                          "Over iterations %llu to %llu, the time of %s %s from 1x (%s) to %.2gx "
                          "(%s).%s",
                          (unsigned long long)p->first, (unsigned long long)p->last, ranks_of(t, p),
                          p->ratio > 1 ? "grows" : "shrinks", begin, p->ratio, end, forecast);
}

static const char *rotation_words(struct sca_table *t, const struct sca_pattern *p)
{
    const char *when = "in each iteration";
    if (p->period)
        when =
            sca_table_text(t, "every %s%u iterations", p->periods > 1 ? "about " : "", p->period);
    return sca_table_text(
        t, "The slowest rank rotates: another one %s takes %.2gx the median time.", when, p->ratio);
}

const char *sca_series_pattern_words(struct sca_table *t, const struct sca_pattern *p)
{
    char acts[SCA_PATTERN_WORDS];
    sca_pattern_acts(p, acts);
    switch (p->kind) {
    case SCA_PATTERN_STEP:
        return step_words(t, p, acts);
    case SCA_PATTERN_DRIFT:
        return drift_words(t, p);
    case SCA_PATTERN_PERIOD:
        return period_words(t, p, acts);
    case SCA_PATTERN_WARM_UP:
        return p->last > 1 ? sca_table_text(t,
                                            "The first %llu iterations take %.2gx as long "
                                            "as later ones.",
                                            (unsigned long long)p->last, p->ratio)
                           : sca_table_text(t,
                                            "The first iteration takes %.2gx as long as "
                                            "later ones.",
                                            p->ratio);
    default:
        return rotation_words(t, p);
    }
}

const char *sca_series_memory_words(struct sca_table *t, const struct sca_memory_growth *g)
{
    char text[4][SCA_FIGURE];
    const double of[] = {g->begin, g->end, g->per_iteration, g->beyond};
    for (int i = 0; i < 4; i++)
        sca_table_figure(text[i], of[i]);
    return sca_table_text(t,
                          "The memory of the rank with most grows from %sB to %sB, by %sB in each "
                          "iteration. If it goes on, at iteration %llu: %sB.",
                          text[0], text[1], text[2], (unsigned long long)(2 * g->last - g->first),
                          text[3]);
}
