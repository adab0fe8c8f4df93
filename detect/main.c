/* scalana-detect: from run directories to the lines that are to blame. */
#include "export/export.h"
#include "export/otf2.h"
#include "export/perfetto.h"
#include "export/pictures.h"
#include "html/html.h"
#include "team/launch.h"
#include "library/handles.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_replace.h"
#include "base/settings.h"
#include "tell/ending.h"
#include "text/report_text.h"
#include "team/team.h"
#include "report/verdict.h"
#include "scalana/scalana.h"
#include "views/view.h"
#include "sca_profile.h"
#include "sca_progress.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int complain(int exit_status)
{
    sca_progress_end();
    fprintf(stderr, "scalana-detect: %s\n", sca_error_message());
    return exit_status;
}

static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !sca_launch_place().launched && !(no && *no) &&
           !(term && !strcmp(term, "dumb"));
}

static uint32_t count_above(const struct sca_report_cause *causes, uint32_t n, double percent)
{
    uint32_t above = 0;
    for (uint32_t i = 0; i < n; i++)
        above += percent >= 0 && 100 * causes[i].gain_share > percent;
    return above;
}

/* A possible cause fails no job, but does not pass in silence. */
static int judge(const struct sca_report *report, double percent)
{
    if (count_above(report->causes, report->ncauses, percent))
        return SCA_EXIT_ABOVE;
    uint32_t n = count_above(report->causes + report->ncauses, report->nunconfirmed, percent);
    if (n)
        fprintf(stderr,
                "scalana-detect: --fail-above=%g counts confirmed causes only; %u that may save "
                "more %s not confirmed\n",
                percent, n, n > 1 ? "are" : "is");
    return SCA_EXIT_OK;
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

static void announce(const char *path)
{
    if (!is_stdout(path) || !isatty(STDOUT_FILENO))
        sca_progress_watch("writing %s", path);
}

static bool is_of(const char *wish, const char *format)
{
    return !strncmp(wish, format, strlen(format)) && wish[strlen(format)] == ':';
}

/* Traces and activity graphs are made of the runs, all else of the report. */
static int write_export(const scalana_report *found, const scalana_runs *runs, const char *wish,
                        const struct sca_settings *settings)
{
    const char *path = strchr(wish, ':') + 1;
    announce(path);
    if (is_of(wish, "perfetto"))
        return sca_perfetto_write(runs->loaded.ppg, path);
    if (is_of(wish, "otf2"))
        return sca_otf2_write(runs->loaded.ppg, path);
    if (sca_pictures_has(wish))
        return sca_pictures_write(runs->loaded.ppg, settings, wish);
    return sca_export_write(sca_library_report(found), wish, settings->metric);
}

static int write_files(const scalana_report *found, const scalana_runs *runs,
                       const struct sca_settings *settings)
{
    const struct sca_report *report = sca_library_report(found);
    int status = SCA_OK;
    if (settings->output) {
        announce(settings->output);
        status = scalana_report_write(found, settings->output);
    }
    if (status == SCA_OK && settings->html) {
        announce(settings->html);
        status = sca_html_write(report, settings->html);
    }
    for (uint32_t i = 0; status == SCA_OK && i < settings->nexports; i++)
        status = write_export(found, runs, settings->exports[i], settings);
    sca_progress_end();
    return status;
}

static int publish(const scalana_report *found, const scalana_runs *runs,
                   const struct sca_settings *settings)
{
    struct sca_report *report = sca_library_report(found);
    if (sca_export_check_metric(report, settings->metric) != SCA_OK)
        return complain(SCA_EXIT_USAGE);
    struct sca_verdict verdict = {.report = report};
    if (sca_ending_warn(runs, report) != SCALANA_OK)
        return complain(SCA_EXIT_FAILED);
    bool to_stdout = is_stdout(settings->output) || is_stdout(settings->html);
    for (uint32_t i = 0; i < settings->nexports; i++)
        to_stdout |= is_stdout(strchr(settings->exports[i], ':') + 1);
    if (!to_stdout && sca_text_print(stdout, &verdict, settings, wants_colour()) != SCA_OK)
        return complain(SCA_EXIT_FAILED);
    if (write_files(found, runs, settings) != SCA_OK)
        return complain(SCA_EXIT_FAILED);
    return judge(report, settings->fail_above);
}

static int analyse(struct sca_team *team, char *const *directories, uint32_t n,
                   scalana_options *options, scalana_runs **runs, scalana_report **report)
{
    sca_library_join(options, team);
    int status = scalana_runs_load((const char *const *)directories, n, options, runs);
    status = sca_team_agree(team, status);
    if (status == SCA_OK)
        status = scalana_verdict_find(*runs, options, report);
    status = sca_team_agree(team, status);
    sca_progress_end();
    return status;
}

static bool is_alone(const struct sca_team *team, struct sca_launch at)
{
    if (team->size < at.size && at.rank == 0)
        fprintf(
            stderr,
            "scalana-detect: no MPI library joins the %u processes; this one does all the work\n",
            at.size);
    return team->size < at.size;
}

/* All processes analyse, the first one reports. */
static int detect(char *const *directories, uint32_t n, scalana_options *options)
{
    struct sca_launch at = sca_launch_place();
    scalana_runs *runs = NULL;
    scalana_report *report = NULL;
    struct sca_team team;
    int result = SCA_EXIT_OK, status = sca_team_open(at, &team);
    if (status == SCA_OK && is_alone(&team, at) && at.rank > 0)
        return SCA_EXIT_OK;
    if (status == SCA_OK)
        status = analyse(&team, directories, n, options, &runs, &report);
    if (at.rank == 0)
        result = status == SCA_OK ? publish(report, runs, sca_library_settings(options))
                                  : complain(SCA_EXIT_FAILED);
    scalana_report_free(report);
    scalana_runs_free(runs);
    sca_team_close(&team);
    return result;
}

static bool exports_stacks(const struct sca_settings *settings)
{
    for (uint32_t i = 0; i < settings->nexports; i++)
        if (!strncmp(settings->exports[i], "folded:", strlen("folded:")) ||
            !strncmp(settings->exports[i], "speedscope:", strlen("speedscope:")))
            return true;
    return false;
}

static bool is_view_of(const struct sca_settings *settings, const char *views)
{
    size_t length = settings->view ? strlen(settings->view) : 0;
    for (const char *at = views; length && (at = strstr(at, settings->view)); at += length)
        if ((at == views || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

/* What a view has in the place of an option that belongs to others; "" if nothing. */
static const char *instead_of(const struct sca_settings *settings, const char *option)
{
    if (!strcmp(option, "ranks") && is_view_of(settings, "tag"))
        return "; --view=tag shows one rank: --rank=N";
    if (!strcmp(option, "ranks") && is_view_of(settings, "ptag, classes"))
        return "; --view=tag --rank=N shows one rank";
    return "";
}

/* What belongs to some views. */
static int check_choice(const struct sca_settings *settings)
{
    const struct {
        const char *option, *views;
        bool given;
    } choices[] = {
        {"root", "metrics, hotpath, topology, system, scaling", settings->root},
        {"ranks", "metrics, topology, system", settings->ranks},
        {"topology", "topology", settings->topology},
        {"fold", "topology", settings->fold},
        {"slice", "topology", settings->slice},
        {"stop", "hotpath", settings->stop > 0},
        {"threshold", "imbalance", settings->threshold > 0},
        {"per", "imbalance", settings->by_path},
        {"by", "metrics, locks", settings->by_thread},
        {"method", "correlation", settings->method != SCA_METHOD_PEARSON},
        {"pairwise", "correlation", settings->pairwise},
        {"loop", "path", settings->loop},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].given && !is_view_of(settings, choices[i].views))
            return sca_fail(SCA_EINVAL, "--%s belongs to --view=%s%s", choices[i].option,
                            choices[i].views, instead_of(settings, choices[i].option));
    if (settings->format != SCA_FORMAT_USUAL && !settings->view)
        return sca_fail(SCA_EINVAL, "--format belongs to --view=VIEW");
    if (settings->metric &&
        !is_view_of(settings, "metrics, hotpath, imbalance, topology, system, scaling") &&
        !exports_stacks(settings))
        return sca_fail(SCA_EINVAL, "--metric belongs to --view=metrics, hotpath, imbalance, "
                                    "topology, system and scaling, --export=folded:FILE and "
                                    "--export=speedscope:FILE");
    return SCA_OK;
}

/* A view is the whole answer: what belongs to the report does not go with it. */
static int check_view(const struct sca_settings *settings, int noperands)
{
    if (!settings->view)
        return check_choice(settings);
    if (settings->html || settings->nexports || settings->fail_above >= 0)
        return sca_fail(SCA_EINVAL,
                        "--view=%s: --html, --export and --fail-above need the report, which a "
                        "view does not make",
                        settings->view);
    if (!strcmp(settings->view, "diff") && noperands != 2)
        return sca_fail(SCA_EINVAL, "--view=diff takes two runs or reports, before and after");
    if (!strcmp(settings->view, "path") && !settings->loop)
        return sca_fail(SCA_EINVAL, "--view=path needs the loop: --loop=FILE:LINE");
    return check_choice(settings);
}

/* Each run has its work, and nothing else says what to expect of it. */
static int check_work(const struct sca_settings *settings, int noperands)
{
    if (!settings->nwork)
        return SCA_OK;
    if (settings->scaling != SCA_SCALING_AUTO)
        return sca_fail(SCA_EINVAL, "--work and --scaling exclude each other");
    if (!settings->work_ranks[0] && settings->nwork != (uint32_t)noperands)
        return sca_fail(SCA_EINVAL, "--work has %u number%s for %d run%s", settings->nwork,
                        settings->nwork == 1 ? "" : "s", noperands, noperands == 1 ? "" : "s");
    return SCA_OK;
}

/* "--html RUN": the run was meant to be judged. */
static int check_is_no_run(const char *option, const char *path)
{
    char profile[4096];
    snprintf(profile, sizeof profile, "%s/%s", path ? path : "", SCA_PROFILE_FILE);
    return !path || access(profile, F_OK)
               ? SCA_OK
               : sca_fail(SCA_EINVAL, "--%s needs a file: %s is a run directory (--%s=FILE %s)",
                          option, path, option, path);
}

static int check_pictures(const struct sca_settings *settings)
{
    int status = SCA_OK;
    for (uint32_t i = 0; status == SCA_OK && i < settings->nexports; i++)
        if (sca_pictures_has(settings->exports[i]))
            status = sca_pictures_check(settings->exports[i]);
    return status;
}

/* Another trace's files are not mixed with an archive's. */
static int check_export(const char *wish)
{
    const char *path = strchr(wish, ':') + 1;
    if (is_of(wish, "otf2") && (is_stdout(path) || !access(path, F_OK)))
        return sca_fail(SCA_EIO, "--export=otf2 makes a new folder: %s %s", path,
                        is_stdout(path) ? "is none" : "is there already");
    return sca_replace_check(path);
}

/* What cannot be written is better known before the analysis than behind it. */
static int check_outputs(const struct sca_settings *settings)
{
    int status = SCA_OK;
    if (settings->output)
        status = sca_replace_check(settings->output);
    if (status == SCA_OK && settings->html)
        status = sca_replace_check(settings->html);
    for (uint32_t i = 0; status == SCA_OK && i < settings->nexports; i++)
        status = check_export(settings->exports[i]);
    return status;
}

/* Large blocks go back to the system as soon as they are freed, and zeroed ones cost nothing before
 * they are touched; glibc would cease to do that once the first of them has been freed. */
static void give_memory_back(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 512 * 1024);
    mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024); /* small ones stay: a rank's are the next one's */
#endif
}

static int show_view(char *const *operands, uint32_t n, const struct sca_settings *settings)
{
    if (sca_launch_place().rank > 0)
        return SCA_EXIT_OK; /* not shared */
    int status = sca_view_show(operands, n, settings, stdout, wants_colour());
    if (status != SCA_OK)
        return complain(status == SCA_EINVAL ? SCA_EXIT_USAGE : SCA_EXIT_FAILED);
    return SCA_EXIT_OK;
}

/* SCA_PARSE_..., or an error. */
static int parse(int argc, char **argv, struct sca_settings *settings, int *noperands)
{
    int parsed = sca_options_parse(&sca_detect_command, settings, argc, argv, noperands);
    if (parsed == SCA_PARSE_RUN)
        parsed = check_is_no_run("html", settings->html);
    if (parsed == SCA_PARSE_RUN)
        parsed = check_is_no_run("output", settings->output);
    if (parsed == SCA_PARSE_RUN && settings->timelines && !settings->output)
        parsed = sca_fail(SCA_EINVAL, "--timelines is about the JSON report: give --output, too");
    if (parsed == SCA_PARSE_RUN && *noperands == 0)
        parsed = sca_fail(SCA_EINVAL, "no run directory given (see --help)");
    if (parsed == SCA_PARSE_RUN)
        parsed = check_view(settings, *noperands);
    if (parsed == SCA_PARSE_RUN)
        parsed = check_pictures(settings);
    if (parsed == SCA_PARSE_RUN)
        parsed = check_work(settings, *noperands);
    return parsed;
}

static int run(int argc, char **argv, scalana_options *options)
{
    struct sca_settings *settings = sca_library_settings(options);
    int noperands = 0, parsed = parse(argc, argv, settings, &noperands);
    if (parsed == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (parsed < 0)
        return complain(SCA_EXIT_USAGE);
    if (sca_launch_place().rank == 0 && check_outputs(settings) != SCA_OK)
        return complain(SCA_EXIT_FAILED);
    if (settings->view)
        return show_view(argv + 1, (uint32_t)noperands, settings);
    settings->text_only = !settings->output && !settings->html && !settings->nexports;
    return detect(argv + 1, (uint32_t)noperands, options);
}

int main(int argc, char **argv)
{
    give_memory_back();
    scalana_options *options = scalana_options_new();
    if (!options || scalana_options_set(options, "progress", "1") != SCALANA_OK)
        return complain(SCA_EXIT_FAILED);
    int result = run(argc, argv, options);
    scalana_options_free(options);
    return result;
}
