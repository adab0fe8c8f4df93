#include "results/run_works.h"
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

char *sca_run_works_option(char *const *runs, size_t count)
{
    char *option = NULL;
    for (size_t i = 0; i < count; i++) {
        char *work = work_of(runs[i]);
        char *longer = !work    ? NULL
                       : option ? sca_words_format("%s,%s", option, work)
                                : sca_words_format("--work=%s", work);
        free(work);
        free(option);
        option = longer;
        if (!option)
            return NULL;
    }
    return option;
}
