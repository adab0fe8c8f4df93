/*
 * One analysis while it is under way: what each step found, for the next. Filled by verdict.c in
 * the order of the members; everything lives in the workspace but the report.
 */
#ifndef SCA_DETECT_ANALYSIS_H
#define SCA_DETECT_ANALYSIS_H

#include "imbalance/abnormal.h"
#include "findings/ledger.h"
#include "price/account.h"
#include "metrics/replayed.h"
#include "price/price.h"
#include "explain/all_paths.h"
#include "explain/chain_walk.h"
#include "base/workspace.h"
#include "measure/measure.h"
#include "replay/delay_cost.h"
#include "scaling/exchange_growth.h"
#include "scaling/growths.h"
#include "sca_report.h"

#include <stdbool.h>
#include <stdint.h>

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
    struct sca_replayed replayed; /* of the largest run, as its waits are priced */

    /* Complete runs, which models of scaling are made of: copies of their measures and transfers.
     * The largest alone if it is not complete itself. */
    uint32_t nwhole;
    struct sca_measure *whole;
    struct sca_transfers *whole_transfers;

    uint32_t last;                    /* the run the causes are those of: the largest */
    struct sca_comparable comparable; /* the whole runs */
    bool order_known;   /* which of several calls was first: windows tell, or totals do */
    uint32_t scattered; /* the interval whose instances scatter most, by shared cores; SCA_NONE */
    uint32_t server; /* a rank that answers others in the order in which they got cores; SCA_NONE */
    struct sca_growths growths;
    struct sca_exchanges exchanges;
    struct sca_finding_list rotating; /* of other runs */
    struct sca_ledger findings;       /* all of them, and what became of each */
    struct sca_finding_list if_same;  /* growth in that reading only, by loss: no causes */
    struct sca_finding_list causes;   /* by gain */
    struct sca_finding_list noted;    /* what the others waited for and no line is to blame for */
    const struct sca_charge *charges; /* by number of the finding */
    const struct sca_gain *gains;     /* likewise */
    uint32_t ncharges, ngains;        /* how many of the findings have one */
    const struct sca_price *prices;   /* likewise */
    double **symptoms;                /* per cause: core-seconds of waiting per vertex */
    struct sca_chain *chains;         /* per cause */
    struct sca_paths paths;           /* from all that is problematic, not from causes alone */
};

#endif
