/* Rank images of a program that is there (SCALANA_FUZZ_PROGRAM, SCALANA_FUZZ_BUILD_ID): loaded,
 * attributed and analysed, down to the report's text, JSON and page. Alone, or, where the input
 * says so, with an intact run on other ranks (SCALANA_FUZZ_OTHER, its directory). */
#include "container.h"
#include "html/html.h"
#include "load/run_loading.h"
#include "sca_report.h"
#include "text/report_text.h"
#include "report/verdict.h"

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

static void publish(const struct sca_verdict *verdict, const struct sca_settings *settings)
{
    static FILE *nowhere;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        abort();
    sca_text_print(nowhere, verdict, settings, false);
    sca_report_write(verdict->report, "/dev/null");
    sca_html_write(verdict->report, "/dev/null");
}

static void analyse(bool together)
{
    char *directories[] = {(char *)(uintptr_t)fuzz_directory(), getenv("SCALANA_FUZZ_OTHER")};
    struct sca_settings settings = {
        .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .top = 5, .max_loop_depth = 10};
    struct sca_runs runs;
    struct sca_verdict verdict = {0};
    if (sca_runs_load(directories, together && directories[1] ? 2 : 1, &settings, &runs) == 0 &&
        sca_verdict_find(runs.ppg, &settings, &verdict) == 0) {
        publish(&verdict, &settings);
        sca_verdict_free(&verdict);
    }
    sca_runs_free(&runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char meta[4096];
    if (!size)
        return 0;
    fuzz_write_store(1 + data[0] % 16, meta, fill_meta(meta, sizeof meta), data + 1, size - 1);
    analyse(data[0] & 16);
    fuzz_remove(SCA_PROFILE_FILE);
    return 0;
}
