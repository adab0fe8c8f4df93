#include "report/warnings.h"
#include "load/later_build.h"
#include "report/report_memory.h"
#include "sca_run_meta.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 16, TEXT = 1024, SHOWN = 60 };

typedef const char *text_of(const struct sca_report_run *run, const char *key);

__attribute__((format(printf, 2, 3))) static void warn(struct sca_analysis *c, const char *format,
                                                       ...)
{
    char text[2 * TEXT];
    va_list args;
    if (c->report->nwarnings == MOST)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->report->warnings[c->report->nwarnings++] = sca_report_string(c->report, text);
}

/* NULL: the run does not say. An empty list of arguments is one where the directory is known. */
static const char *arguments_of(const struct sca_report_run *run, const char *key)
{
    (void)key;
    return run->directory && *run->directory ? run->arguments : NULL;
}

static const char *directory_of(const struct sca_report_run *run, const char *key)
{
    (void)key;
    return run->directory && *run->directory ? run->directory : NULL;
}

static const char *noted(const struct sca_report_run *run, const char *key)
{
    for (uint32_t i = 0; i < run->nmeta; i++)
        if (!strcmp(run->meta[i].key, key))
            return run->meta[i].value;
    return NULL;
}

/* Runs that do not say differ from none. */
static bool differ(const struct sca_report *r, text_of *of, const char *key)
{
    const char *first = NULL;
    for (uint32_t i = 0; i < r->nruns; i++) {
        const char *text = of(&r->runs[i], key);
        if (first && text && strcmp(first, text) != 0)
            return true;
        first = first ? first : text;
    }
    return false;
}

/* "-n 300" on 2 ranks, "-n 450" on 3 ranks: each text with the first run that has it. */
static void list(const struct sca_report *r, text_of *of, const char *key, char out[TEXT])
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < r->nruns && used < TEXT; i++) {
        const char *text = of(&r->runs[i], key), *before = NULL;
        for (uint32_t k = 0; text && k < i && !before; k++) {
            const char *other = of(&r->runs[k], key);
            before = other && !strcmp(other, text) ? other : NULL;
        }
        if (text && !before)
            used +=
                (size_t)snprintf(out + used, TEXT - used, "%s\"%.*s%s\" on %u rank%s",
                                 used ? ", " : "", SHOWN, text, strlen(text) > SHOWN ? "..." : "",
                                 r->runs[i].ranks, r->runs[i].ranks == 1 ? "" : "s");
    }
}

bool sca_warnings_other_arguments(const struct sca_report *report)
{
    return differ(report, arguments_of, NULL);
}

static bool has_a_size_twice(const struct sca_report *r)
{
    for (uint32_t i = 1; i < r->nruns; i++)
        if (r->runs[i].ranks == r->runs[i - 1].ranks)
            return true;
    return false;
}

static const char *advice(const struct sca_analysis *c)
{
    if (c->settings->scaling != SCA_SCALING_AUTO)
        return "";
    return has_a_size_twice(c->report)
               ? " If the runs did different work, say how much, in their order: --work=WORK,..."
               : " If the runs did different work, say how much: --work=RANKS:WORK,...";
}

/* Who says how the work goes with the ranks has answered already. */
static bool may_differ(const struct sca_analysis *c)
{
    return c->comparable.told || sca_report_work_told(c->report) ||
           c->settings->scaling == SCA_SCALING_WEAK;
}

static void warn_of_arguments(struct sca_analysis *c)
{
    char texts[TEXT];
    if (may_differ(c) || !sca_warnings_other_arguments(c->report))
        return;
    list(c->report, arguments_of, NULL, texts);
    warn(c, "The runs had different arguments: %s.%s", texts, advice(c));
}

/* An input file of the same name may be another one there. */
static void warn_of_directories(struct sca_analysis *c)
{
    char texts[TEXT];
    if (may_differ(c) || !differ(c->report, directory_of, NULL))
        return;
    list(c->report, directory_of, NULL, texts);
    warn(c, "The runs were started in different directories, and may have read other input: %s.",
         texts);
}

/* What `scalana run` notes by itself differs with the ranks and the time, or is checked elsewhere.
 */
static bool is_automatic(const char *key)
{
    static const char *const keys[] = {"command", "launcher", "host",     "date",
                                       "git",     "work",     "compilers"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i], key))
            return true;
    return false;
}

static void warn_of_notes(struct sca_analysis *c)
{
    const struct sca_report *r = c->report;
    char texts[TEXT];
    for (uint32_t i = 0; r->nruns && i < r->runs[0].nmeta; i++) {
        const char *key = r->runs[0].meta[i].key;
        if (is_automatic(key) || !differ(r, noted, key))
            continue;
        list(r, noted, key, texts);
        warn(c, "The runs differ in what was noted of them: %.64s is %s.", key, texts);
    }
}

/* "100 on 2, 200 on 4 ranks" */
static void warn_of_order(struct sca_analysis *c)
{
    const struct sca_report *r = c->report;
    char told[TEXT] = "", better[TEXT] = "";
    size_t used = 0, more = 0;
    if (!c->comparable.told || !c->settings->nwork || c->settings->work_ranks[0] ||
        r->runs[0].ranks == r->runs[r->nruns - 1].ranks)
        return;
    for (uint32_t i = 0; i < r->nruns && used < TEXT && more < TEXT; i++) {
        used += (size_t)snprintf(told + used, TEXT - used, "%s%.6g on %u", i ? ", " : "",
                                 r->runs[i].work, r->runs[i].ranks);
        more += (size_t)snprintf(better + more, TEXT - more, "%s%u:%.6g", i ? "," : "",
                                 r->runs[i].ranks, r->runs[i].work);
    }
    warn(c,
         "Work was taken in the order of the runs as given: %s ranks. To be sure of it, say "
         "--work=%s.",
         told, better);
}

/* As if numbers had been given in another order than the runs. */
static void warn_of_work(struct sca_analysis *c)
{
    const struct sca_report *r = c->report;
    for (uint32_t i = 1; c->comparable.told && i < r->nruns; i++)
        if (r->runs[i].ranks > r->runs[i - 1].ranks && r->runs[i].work < r->runs[i - 1].work) {
            warn(c,
                 "The work falls as ranks rise: %.6g on %u, %.6g on %u. If that is not meant, the "
                 "verdict below is wrong: give each with its ranks (--work=RANKS:WORK,...).",
                 r->runs[i - 1].work, r->runs[i - 1].ranks, r->runs[i].work, r->runs[i].ranks);
            return;
        }
}

/* Whoever built and ran the program again means those runs. */
static void warn_of_later_build(struct sca_analysis *c)
{
    char later[SCA_LATER_BUILD];
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        if (*sca_later_build(c->ppg->runs[i].profile, later)) {
            warn(c, "This is the verdict of an earlier build: %s.", later);
            return;
        }
}

void sca_warnings_fill(struct sca_analysis *c)
{
    c->report->warnings = sca_report_memory_take(c, MOST, sizeof *c->report->warnings);
    warn_of_later_build(c);
    warn_of_order(c);
    warn_of_work(c);
    warn_of_arguments(c);
    warn_of_directories(c);
    warn_of_notes(c);
}
