#include "follow/worst.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>

/* Vertices have other numbers in another report. NULL: it cannot be read. */
static char *key_of(const scalana_report *report, uint32_t i)
{
    struct scalana_cause cause;
    struct scalana_vertex at;
    char *key = NULL;
    size_t size;
    if (scalana_report_causes(report, i, 1, &cause, sizeof cause) ||
        scalana_report_vertices(report, cause.vertex, 1, &at, sizeof at))
        return NULL;
    FILE *text = sca_must(open_memstream(&key, &size));
    fprintf(text, "%s %s %s:%u %s, ranks", cause.category, at.kind, at.file, at.line, at.function);
    for (uint32_t r = 0; r < cause.nranks; r++)
        fprintf(text, " %u", cause.ranks[r]);
    fclose(text);
    return sca_must(key);
}

static double percent_of(const scalana_report *report)
{
    struct scalana_cause cause;
    if (scalana_report_causes(report, 0, 1, &cause, sizeof cause) || !(cause.gain_share > 0))
        return 0;
    double all = cause.gain_core_s / cause.gain_share;
    return all > 0 ? 100 * cause.gain_low_core_s / all : 0;
}

void sca_worst_find(const struct sca_look *look, struct sca_worst *out)
{
    struct scalana_summary summary;
    char text[1024];
    *out = (struct sca_worst){0};
    if (!look->report || scalana_report_get(look->report, &summary, sizeof summary) ||
        !summary.ncauses || scalana_cause_text(look->report, 0, text, sizeof text, NULL))
        return;
    out->keys = sca_must(calloc(summary.ncauses, sizeof *out->keys));
    for (uint32_t i = 0; i < summary.ncauses; i++) {
        char *key = key_of(look->report, i);
        if (key)
            out->keys[out->n++] = key;
    }
    out->text = sca_words_format("%s", text);
    out->percent = percent_of(look->report);
}

void sca_worst_free(struct sca_worst *worst)
{
    for (uint32_t i = 0; i < worst->n; i++)
        free(worst->keys[i]);
    free(worst->keys);
    free(worst->text);
    *worst = (struct sca_worst){0};
}
