/*
 * What stands behind the types of include/scalana/, and what scalana-detect itself asks of the
 * library beyond them: it is of the same release, and parses into its settings, shares the work
 * with a team of processes, and shows the report.
 */
#ifndef SCA_LIBRARY_HANDLES_H
#define SCA_LIBRARY_HANDLES_H

#include "load/run_loading.h"
#include "metrics/metric_catalogue.h"
#include "metrics/replayed.h"
#include "sca_report.h"
#include "scalana/report.h"
#include "scalana/run.h"
#include "team/team.h"

#include <stdbool.h>
#include <stdint.h>

struct scalana_options {
    struct sca_settings settings;
    char *symfs; /* what the settings refer to, if set by name; so is since */
    char *since;
    struct sca_team *team; /* NULL: alone */
    bool progress;
};

struct scalana_activity;
struct sca_made_series;

/* What the threads of a run do, one after the other. */
struct sca_run_moment {
    uint32_t nactivities;
    struct scalana_activity *activities;
    uint32_t state; /* enum scalana_run_state */
    double running_s;
};

struct scalana_runs {
    struct sca_runs loaded;
    struct sca_run_moment *moments;          /* of each run, */
    struct sca_arena live;                   /* and what is in them */
    uint32_t *ends;                          /* sca_ppg_ends() */
    struct sca_metric_catalogue *catalogues; /* of each run */
    struct sca_replayed *replayed;           /* of the largest run; NULL: it was not */
    struct sca_arena memory;                 /* what `replayed` lives in */
    struct sca_made_series **series;         /* of each run; NULL: not asked for yet */
};

struct scalana_report {
    struct sca_report *of;
};

/* To be filled before the options are used; lives as long as they do. */
struct sca_settings *sca_library_settings(scalana_options *options);

/* The processes that share the analysis; it outlives its use. The report of all but the first is
 * empty. */
void sca_library_join(scalana_options *options, struct sca_team *team);

/* What the report is; lives as long as it does. */
struct sca_report *sca_library_report(const scalana_report *report);

/* A report as a handle, which owns it from now on, also where this fails. SCA_ENOMEM. */
int sca_library_hand_out(struct sca_report *report, scalana_report **out);

/* Hands the runs to the analysis with these options, or the default ones, and numbers written with
 * a point meanwhile. SCA_EINVAL: no runs; SCA_ENOMEM; or what the analysis returns. */
typedef int sca_library_analysis(const struct sca_ppg *ppg, const scalana_options *options,
                                 void *context);
int sca_library_analyse(scalana_runs *runs, const scalana_options *options,
                        sca_library_analysis *analysis, void *context);

/* What the options say of progress, from now on; NULL: the default. */
void sca_library_speak(const scalana_options *options);
/* Takes the line of progress away, if these options asked for one. */
void sca_library_fall_silent(const scalana_options *options);

#endif
