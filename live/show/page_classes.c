/* The page's table of ranks by behaviour: a line for each class of the report. */
#include "show/page.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>

/* "0, 4-7, 9" */
static char *numbers(const uint32_t *rank, uint32_t n)
{
    char *text = NULL;
    size_t size;
    FILE *out = sca_must(open_memstream(&text, &size));
    for (uint32_t i = 0, last; i < n; i = last + 1) {
        for (last = i; last + 1 < n && rank[last + 1] == rank[last] + 1;)
            last++;
        bool range = last > i + 1;
        last = range ? last : i;
        fprintf(out, range ? "%s%u-%u" : "%s%u", i ? ", " : "", rank[i], rank[last]);
    }
    fclose(out);
    return sca_must(text);
}

static void say_class(const struct scalana_class *k, struct sca_page *page)
{
    char mean[32], least[32], most[32], mpi[32], spread[72] = "";
    char *ranks = numbers(k->ranks, k->nranks);
    sca_tell_duration(k->computation_s, mean, sizeof mean);
    sca_tell_duration(k->min_computation_s, least, sizeof least);
    sca_tell_duration(k->max_computation_s, most, sizeof most);
    sca_tell_duration(k->mpi_s, mpi, sizeof mpi);
    if (k->nranks > 1)
        snprintf(spread, sizeof spread, "%s to %s", least, most);
    sca_page_say(page, SCA_PAGE_PLAIN, "  %-8s %6u  %8s  %-18s %8s  %s", *k->role ? k->role : "-",
                 k->nranks, mean, spread, mpi, ranks);
    free(ranks);
}

uint32_t sca_page_count_classes(const struct sca_shown *s)
{
    struct scalana_summary summary;
    if (!s->look->report || scalana_report_get(s->look->report, &summary, sizeof summary))
        return 0;
    return summary.nclasses;
}

void sca_page_classes(const struct sca_shown *s, uint32_t first, uint32_t most,
                      struct sca_page *page)
{
    uint32_t n = sca_page_count_classes(s), i = first < n ? first : n ? n - 1 : 0;
    struct scalana_class k;
    sca_page_say(page, SCA_PAGE_HEADER, "  %-8s %6s  %8s  %-18s %8s  %s", "CLASS", "RANKS",
                 "COMPUTED", "LEAST TO MOST", "IN MPI", "WHICH");
    if (!n)
        sca_page_say(page, SCA_PAGE_PLAIN, "  no classes so far");
    for (uint32_t end = n - i < most ? n : i + most; i < end; i++)
        if (!scalana_report_classes(s->look->report, i, 1, &k, sizeof k))
            say_class(&k, page);
}
