/*
 * libscalana: everything. Load runs (run.h), look at their graph (graph.h), have them judged
 * (verdict.h, findings.h), read what was found (report.h).
 *
 *     const char *dirs[] = {"scalana-cg-2p", "scalana-cg-8p"};
 *     scalana_runs *runs;
 *     scalana_report *report;
 *     if (scalana_runs_load(dirs, 2, NULL, &runs) || scalana_verdict_find(runs, NULL, &report))
 *         fprintf(stderr, "%s\n", scalana_error_message());
 *
 * Compile and link with `pkg-config --cflags --libs scalana`, or in CMake with
 * find_package(scalana) and the target scalana::scalana.
 */
#ifndef SCALANA_H
#define SCALANA_H

#include "scalana/error.h"
#include "scalana/findings.h"
#include "scalana/graph.h"
#include "scalana/live.h"
#include "scalana/options.h"
#include "scalana/report.h"
#include "scalana/run.h"
#include "scalana/series.h"
#include "scalana/verdict.h"
#include "scalana/windows.h"

#endif
