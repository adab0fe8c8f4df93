/* The page's line of ranks by behaviour, as the last verdict has them. */
#include "sca_phrase.h"
#include "sca_words.h"
#include "show/page.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 6 };

/* "master 0 (0.8 s)", "1-3, 5-7 (0.2 s)": of a rank on average, its computation. */
static void put_class(FILE *out, const struct sca_look *look, uint32_t i)
{
    struct scalana_class class;
    char ranks[SCA_PHRASE];
    if (scalana_report_classes(look->report, i, 1, &class, sizeof class))
        return;
    sca_phrase_numbers(ranks, class.ranks, class.nranks);
    fprintf(out, "%s%s%s%s (%.3g s)", i ? "; " : "", class.role, *class.role ? " " : "", ranks,
            class.computation_s);
}

void sca_page_classes(const struct sca_shown *s, uint32_t columns, struct sca_page *page)
{
    struct scalana_summary summary;
    if (!s->look->report || scalana_report_get(s->look->report, &summary, sizeof summary) ||
        summary.nclasses < 2)
        return;
    char *text = NULL;
    size_t size;
    FILE *out = sca_must(open_memstream(&text, &size));
    fputs("classes of ranks, and what each rank computed: ", out);
    for (uint32_t i = 0; i < summary.nclasses && i < MOST; i++)
        put_class(out, s->look, i);
    uint32_t more = summary.nclasses + summary.nclasses_left_out;
    if (more > MOST)
        fprintf(out, "; %u more", more - MOST);
    fclose(out);
    sca_page_wrap(page, SCA_PAGE_PLAIN, text, columns);
    free(text);
}
