/*
 * Where the core-seconds of a report's largest run went, as a list to show: the text, the page and
 * the viewer tell the same parts in the same order and words.
 */
#ifndef SCA_ACCOUNT_H
#define SCA_ACCOUNT_H

#include "sca_report.h"

enum sca_account_kind {
    SCA_ACCOUNT_USEFUL,
    SCA_ACCOUNT_EXTRA,
    SCA_ACCOUNT_COMMUNICATION,
    SCA_ACCOUNT_EXPLAINED,
    SCA_ACCOUNT_UNEXPLAINED,
    SCA_ACCOUNT_OTHER_WORLD,
    SCA_ACCOUNT_REST,
    SCA_ACCOUNT_TOOL,
    SCA_ACCOUNT_DISTURBED,
    SCA_ACCOUNT_BLOCKED,
    SCA_ACCOUNT_AWAITED,
    SCA_ACCOUNT_QUEUED,
    SCA_ACCOUNT_KINDS
};

struct sca_account_part {
    enum sca_account_kind kind;
    const char *name;
    double seconds; /* core-seconds; the rest may be negative */
};

struct sca_account_parts {
    uint32_t ranks;
    double base, duration; /* core-seconds that the parts add up to; seconds */
    bool is_virtual;       /* as if each rank had had a core */
    int count;             /* parts that most programs do not have are listed if there is any */
    struct sca_account_part part[SCA_ACCOUNT_KINDS];
};

/* False: the report has no runs, or was written before there were accounts. */
bool sca_account_list(const struct sca_report *report, struct sca_account_parts *out);
/* The same of another run, by index. */
bool sca_account_list_run(const struct sca_report *report, uint32_t run,
                          struct sca_account_parts *out);

#endif
