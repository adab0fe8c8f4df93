/* Rank images of a program that is there (SCALANA_FUZZ_PROGRAM, SCALANA_FUZZ_BUILD_ID): loaded,
 * attributed and analysed, down to the report. */
#include "container.h"
#include "load.h"
#include "sca_report.h"
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

static size_t fill_meta(char *meta, size_t room)
{
    const char *path = getenv("SCALANA_FUZZ_PROGRAM"), *id = getenv("SCALANA_FUZZ_BUILD_ID");
    const char *words[] = {"program", "fuzz", "path", path ? path : "", "build_id", id ? id : ""};
    size_t used = 0;
    for (int i = 0; i < 6 && used + strlen(words[i]) < room; i++) {
        strcpy(meta + used, words[i]);
        used += strlen(words[i]) + 1;
    }
    return used;
}

static void analyse(void)
{
    char *directory = (char *)(uintptr_t)fuzz_directory();
    struct sca_settings settings = {
        .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .top = 5, .max_loop_depth = 10};
    struct sca_runs runs;
    struct sca_verdict verdict = {0};
    if (sca_runs_load(&directory, 1, settings.max_loop_depth, &runs) == 0 &&
        sca_verdict_find(runs.ppg, &settings, &verdict) == 0)
        sca_verdict_free(&verdict);
    sca_runs_free(&runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char meta[4096];
    if (!size)
        return 0;
    fuzz_write_store(1 + data[0] % 16, meta, fill_meta(meta, sizeof meta), data + 1, size - 1);
    analyse();
    fuzz_remove(SCA_PROFILE_FILE);
    return 0;
}
