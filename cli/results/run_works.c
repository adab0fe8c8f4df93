#include "results/run_works.h"
#include "results/result_folder.h"
#include "sca_run_meta.h"

#include <stdlib.h>
#include <string.h>

static char *work_of(const char *run)
{
    struct sca_run_meta meta;
    char *work = NULL;
    sca_run_meta_read(&meta, run);
    for (size_t i = 0; i < meta.count; i++)
        if (!strcmp(meta.notes[i].key, SCA_RUN_WORK))
            work = sca_words_format("%s", meta.notes[i].value);
    sca_run_meta_free(&meta);
    return work;
}

/* Adds "8:100" to the list; one that is there already is not repeated. */
static char *append(char *list, const char *entry)
{
    size_t length = strlen(entry);
    for (const char *at = list; at && (at = strstr(at, entry)); at += length)
        if ((at[-1] == '=' || at[-1] == ',') && (!at[length] || at[length] == ','))
            return list;
    char *longer =
        list ? sca_words_format("%s,%s", list, entry) : sca_words_format("--work=%s", entry);
    free(list);
    return longer;
}

char *sca_run_works_option(char *const *runs, size_t count)
{
    char *option = NULL;
    for (size_t i = 0; i < count; i++) {
        unsigned ranks = sca_result_folder_ranks(runs[i]);
        char *work = work_of(runs[i]);
        if (!work || !ranks) {
            free(work);
            free(option);
            return NULL;
        }
        char *entry = sca_words_format("%u:%s", ranks, work);
        option = append(option, entry);
        free(entry);
        free(work);
    }
    return option;
}
