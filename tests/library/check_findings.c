/*
 * The findings of recorded runs, a line for each and for each sentence of its evidence; and that
 * they are what libscalana promises.
 *
 * check_findings REPORT RUN...   C11 and C++17; writes the report of the same analysis
 */
#include "check.h"

static void check_evidence(const scalana_findings *findings, uint32_t i, uint32_t rows)
{
    struct scalana_evidence row;
    for (uint32_t e = 0; e < rows; e++) {
        CHECK(!scalana_finding_evidence(findings, i, e, 1, &row, sizeof row) && *row.kind);
        CHECK(row.text && (row.run == NO || row.finding == NO));
        CHECK(row.finding == NO || row.finding < scalana_findings_count(findings));
        if (*row.text)
            printf("evidence %u %s\n", i, row.text);
    }
    FAILS(scalana_finding_evidence(findings, i, rows, 1, &row, sizeof row), SCALANA_EINVAL,
          "evidence");
}

/* A line for each finding and each evidence. */
static void check_finding(const scalana_findings *findings, uint32_t i, uint32_t ncontexts)
{
    struct scalana_finding f;
    CHECK(!scalana_findings_get(findings, i, 1, &f, sizeof f));
    CHECK(f.context < ncontexts && f.nranks && *f.where && *f.why);
    for (uint32_t c = 0; c < f.ncontexts; c++)
        CHECK(f.contexts[c] < ncontexts);
    for (uint32_t r = 1; r < f.nranks; r++)
        CHECK(f.ranks[r] > f.ranks[r - 1]);
    CHECK(f.between ? f.after < ncontexts && f.before < ncontexts : f.before == NO);
    CHECK(strcmp(f.outcome, "cause") || (f.priced && f.gain_core_s > 0 && f.other == NO));
    CHECK(f.other == NO || (f.other < scalana_findings_count(findings) && f.other != i));
    printf("finding %u %s %s %s %.9g %.9g %d\n", i, f.category, f.outcome, f.why, f.excess_core_s,
           f.gain_core_s, f.priced);
    check_evidence(findings, i, f.nevidence);
}

/* They outlive their runs, and the report with them is that of the runs. */
static void check_findings(const char *path, char **dirs, int n)
{
    scalana_runs *runs = load(dirs, n);
    scalana_findings *findings, *again;
    scalana_report *report;
    struct scalana_finding f;
    CHECK(!scalana_findings_find(runs, NULL, &report, &findings));
    CHECK(!scalana_findings_find(runs, NULL, NULL, &again));
    uint32_t contexts = scalana_graph_count(runs), count = scalana_findings_count(findings);
    scalana_runs_free(runs);
    CHECK(!scalana_report_write(report, path) && count == scalana_findings_count(again) && count);
    for (uint32_t i = 0; i < count; i++)
        check_finding(findings, i, contexts);
    FAILS(scalana_findings_get(findings, count, 1, &f, sizeof f), SCALANA_EINVAL, "findings");
    scalana_report_free(report);
    scalana_findings_free(findings);
    scalana_findings_free(again);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    check_findings(argv[1], argv + 2, argc - 2);
    return 0;
}
