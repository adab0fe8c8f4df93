/* The page's lines of a job's hosts. */
#include "show/hosts_told.h"
#include "show/page.h"

#include <stdlib.h>

void sca_page_hosts(const struct sca_shown *shown, struct sca_page *page)
{
    uint32_t n;
    const struct sca_host *hosts = sca_gather_hosts(shown->gather, &n);
    const struct sca_hosts_sum sum = sca_hosts_sum(shown->gather);
    sca_page_say(
        page, SCA_PAGE_PLAIN,
        "hosts: %u of %u answer; they sent %.0f bytes per rank at first, then %.0f per rank "
        "and look",
        sum.answer, sum.n, sum.first_bytes, sum.later_bytes);
    if (sum.series_bytes > 0)
        sca_page_say(page, SCA_PAGE_PLAIN, "series for the last snapshot: %.0f bytes per rank",
                     sum.series_bytes);
    for (uint32_t i = 0; i < n; i++) {
        char *text = sca_hosts_sentence(shown->gather, i);
        if (text)
            sca_page_say(page, hosts[i].lost ? SCA_PAGE_ALARM : SCA_PAGE_NOTE, "%s", text);
        free(text);
    }
    char *missing = sca_gather_missing(shown->gather);
    if (missing)
        sca_page_say(page, SCA_PAGE_NOTE, "%s", missing);
    free(missing);
    if (*sca_gather_refused(shown->gather))
        sca_page_say(page, SCA_PAGE_NOTE, "%s", sca_gather_refused(shown->gather));
}
