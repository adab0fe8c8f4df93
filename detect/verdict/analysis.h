/*
 * One analysis while it is under way: what each step found, for the next. Filled by verdict.c in
 * the order of the members; everything lives in the workspace but the report.
 */
#ifndef SCA_DETECT_ANALYSIS_H
#define SCA_DETECT_ANALYSIS_H

#include "imbalance/abnormal.h"
#include "price/account.h"
#include "explain/backtrack.h"
#include "replay/delay_cost.h"
#include "scaling/exchange_growth.h"
#include "scaling/growth.h"
#include "sca_report.h"

struct sca_analysis {
    struct sca_team *team; /* who shares it */
    const struct sca_ppg *ppg;
    const struct sca_settings *settings;
    struct sca_workspace *space;
    struct sca_report *report;

    uint32_t *ends;
    /* per run */
    struct sca_measure *measures;
    struct sca_transfers *transfers;
    struct sca_traces *traces;
    struct sca_stage *stages;
    struct sca_account *accounts;
    struct sca_abnormals *abnormals;
    struct sca_costs *costs;

    /* Complete runs, which models of scaling are made of: copies of their measures and transfers.
     * The largest alone if it is not complete itself. */
    uint32_t nwhole;
    struct sca_measure *whole;
    struct sca_transfers *whole_transfers;

    uint32_t last;                    /* the run the causes are those of: the largest */
    struct sca_comparable comparable; /* the whole runs */
    struct sca_growths growths;
    struct sca_findings if_same, if_grown; /* growth in one reading only, by loss: no causes */
    struct sca_exchanges exchanges;
    struct sca_findings findings; /* the first ncauses are the causes, by gain */
    uint32_t ncauses;
    uint32_t naside;          /* behind them: what the others waited for and no line is to blame */
    double **symptoms;        /* per cause: core-seconds of waiting per vertex */
    struct sca_chain *chains; /* per cause */
};

#endif
