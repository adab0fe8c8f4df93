/*
 * What the user asked of scalana-detect. Filled by options.c from its table, read-only after.
 */
#ifndef SCA_DETECT_SETTINGS_H
#define SCA_DETECT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* How the ranks' values of a vertex become one number per run (SC'20, IV-A). */
enum sca_merge {
    SCA_MERGE_MEDIAN,
    SCA_MERGE_MEAN,
    SCA_MERGE_MAX,
    SCA_MERGE_RANK,
    SCA_MERGE_VARIANCE,
    SCA_MERGE_CLUSTER
};

enum sca_scaling { SCA_SCALING_AUTO, SCA_SCALING_STRONG, SCA_SCALING_WEAK, SCA_SCALING_SINGLE };

/* How a view is written. */
enum sca_format { SCA_FORMAT_USUAL, SCA_FORMAT_TEXT, SCA_FORMAT_JSON, SCA_FORMAT_CSV };

/* How ranks' values are correlated. */
enum sca_method { SCA_METHOD_PEARSON, SCA_METHOD_SPEARMAN, SCA_METHOD_KENDALL };

enum { SCA_MAX_EXPORTS = 16, SCA_MAX_WORK = 256 };
#define SCA_TOP_USUAL UINT32_MAX

struct sca_settings {
    double abnorm_thd; /* ratio to the ranks' median from which a vertex is abnormal */
    double min_share;  /* causes that would save less are left out */
    double fail_above; /* percent; < 0: never */
    uint32_t top;      /* causes or rows shown in the text; 0: all, SCA_TOP_USUAL: as many as fit */
    uint32_t max_loop_depth;
    const char *symfs; /* folder below which binaries are looked for; NULL: none */
    const char *since; /* a snapshot: what came before is left out; NULL: none */
    bool no_cache;     /* structures recovered from code are made anew */
    enum sca_merge merge;
    uint32_t merge_rank; /* for SCA_MERGE_RANK */
    enum sca_scaling scaling;
    double work[SCA_MAX_WORK];         /* problem size of each run as given, in any unit, > 0 */
    uint32_t work_ranks[SCA_MAX_WORK]; /* of the runs on so many ranks; all 0: in the runs' order */
    uint32_t nwork;                    /* 0: not told */
    const char *output;                /* JSON, NULL: none */
    const char *html;                  /* NULL: none */
    bool timelines;                    /* the JSON has them, too */
    const char *exports[SCA_MAX_EXPORTS]; /* FORMAT:FILE */
    uint32_t nexports;
    bool text_only;  /* nobody reads the report but for its text: what that lacks is not made */
    bool unmeasured; /* ranks are compared as wholes: nothing is divided among places, and neither
                        windows nor sizes of messages are kept */
    enum sca_format format; /* of the view; usual: text, or with -o JSON */
    const char *view;       /* another question than the cause, see views/; NULL: none */
    /* Of views that show a metric; NULL: all metrics, the whole program, all ranks. */
    const char *metric, *root, *ranks;
    const char *topology, *fold, *slice; /* of maps; NULL: the run's first, as near to a square */
    double stop;      /* of hotpath: part of its parent's that the next step has; 0: as usual */
    double threshold; /* of imbalance: contexts with no more on any rank are left out */
    bool by_thread;   /* of metrics and locks: threads, not ranks */
    bool by_path;     /* of imbalance: each call path alone, not all that lead to a place */
    enum sca_method method;                   /* of correlation */
    uint32_t first_iteration, last_iteration; /* of series; 0 and 0: all */
    const char *loop;     /* of path: FILE:LINE, FILE:LINE#N of several loops there; NULL: none */
    uint32_t rank;        /* of tag */
    double contract;      /* of pictures: places below this part become one; < 0: as usual */
    uint32_t classes;     /* of classes: so many at least; 0: as they are */
    const char *pairwise; /* of correlation: METRIC,METRIC; NULL: all figures of ranks */
};

/* The report has them, for the page or for its file. */
static inline bool sca_settings_want_timelines(const struct sca_settings *settings)
{
    return settings->html || settings->timelines;
}

/* The options table; its context is a struct sca_settings. */
extern const struct sca_command sca_detect_command;

#endif
