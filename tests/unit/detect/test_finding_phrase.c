/* Findings in words: each outcome and each kind of evidence has a word of its own, and sentences
 * tell numbers as a reader counts. */
#include "report/finding_phrase.h"
#include "imbalance/single_instance.h"
#include "check_main.h"

#include <ctype.h>
#include <string.h>

enum { OUTCOMES = SCA_OUTCOME_LITTLE_DOUBT + 1, EVIDENCE = SCA_EVIDENCE_UNLIKE_STEPS + 1 };

/* Three runs, the last two on as many ranks; findings have numbers up to two. */
static struct sca_report_vertex vertices[] = {
    {.kind = "root", .name = "main", .function = "main", .file = "/src/cg.c", .line = 1},
    {.kind = "loop", .name = "", .function = "solve", .file = "/src/cg.c", .line = 12},
    {.kind = "mpi", .name = "MPI_Barrier", .function = "solve", .file = "/src/cg.c", .line = 20}};
static struct sca_report_run runs[] = {{.ranks = 4}, {.ranks = 8}, {.ranks = 8}};
static struct sca_report report = {.nruns = 3, .runs = runs, .nvertices = 3, .vertices = vertices};
static struct sca_measure measures[] = {{.nranks = 4}, {.nranks = 8}, {.nranks = 8}};
static struct sca_ppg ppg = {.nruns = 3};
static struct sca_outcome outcomes[3];
static struct sca_analysis analysis = {.ppg = &ppg,
                                       .report = &report,
                                       .measures = measures,
                                       .last = 2,
                                       .findings = {.count = 3, .outcomes = outcomes}};
static char buffer[SCA_FINDING_WHERE];

/* Lower case, in parts with hyphens between them. */
static void check_word(const char *word)
{
    ck_assert_ptr_nonnull(word);
    size_t length = strlen(word);
    ck_assert_msg(length && strspn(word, "abcdefghijklmnopqrstuvwxyz-") == length, "'%s'", word);
    ck_assert_msg(word[0] != '-' && word[length - 1] != '-' && !strstr(word, "--"), "'%s'", word);
}

START_TEST(each_outcome_has_a_word_of_its_own)
{
    for (int i = 0; i < OUTCOMES; i++) {
        const char *word = sca_finding_phrase_outcome_word(i);
        check_word(word);
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(word, sca_finding_phrase_outcome_word(k));
    }
    ck_assert_str_eq(sca_finding_phrase_outcome_word(SCA_OUTCOME_SCATTER), "scatter");
}
END_TEST

START_TEST(each_kind_of_evidence_has_a_word_of_its_own)
{
    for (int i = 0; i < EVIDENCE; i++) {
        const char *word = sca_finding_phrase_evidence_word(i);
        check_word(word);
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(word, sca_finding_phrase_evidence_word(k));
    }
    ck_assert_str_eq(sca_finding_phrase_evidence_word(SCA_EVIDENCE_STANDS_IN), "stands-in");
}
END_TEST

START_TEST(what_rotates_is_a_category_in_words)
{
    struct sca_finding finding = {.category = SCA_CAUSE_IMBALANCE};
    ck_assert_str_eq(sca_finding_phrase_category_word(&finding), "imbalance");
    finding.transform.nrotating = 1;
    ck_assert_str_eq(sca_finding_phrase_category_word(&finding), "rotating");
    const char *const words[] = {"imbalance", "serial", "nonscalable", "communication"};
    for (int i = 0; i < 4; i++) {
        finding = (struct sca_finding){.category = i};
        ck_assert_str_eq(sca_finding_phrase_category_word(&finding), words[i]);
    }
}
END_TEST

static bool is_told_by_another(enum sca_outcome_kind kind)
{
    return kind == SCA_OUTCOME_REFINED || kind == SCA_OUTCOME_JOINED ||
           kind == SCA_OUTCOME_EXPLAINED || kind == SCA_OUTCOME_TOLD;
}

START_TEST(groups_are_as_findings_are_shown)
{
    for (int i = 0; i < OUTCOMES; i++) {
        const struct sca_outcome outcome = {.kind = i};
        enum sca_finding_group group = is_told_by_another(i)    ? SCA_FINDING_TOLD_BY_ANOTHER
                                       : i == SCA_OUTCOME_CAUSE ? SCA_FINDING_CAUSE
                                       : i == SCA_OUTCOME_NOTE  ? SCA_FINDING_NOTE
                                                                : SCA_FINDING_NOT_BELIEVED;
        ck_assert_int_eq(sca_finding_phrase_group(&outcome), group);
    }
}
END_TEST

START_TEST(only_some_outcomes_name_another)
{
    for (int i = 0; i < OUTCOMES; i++) {
        const struct sca_outcome outcome = {.kind = i, .of = 7};
        bool names = is_told_by_another(i);
        ck_assert_uint_eq(sca_finding_phrase_other(&outcome), names ? 7 : SCA_NONE);
    }
    const struct sca_outcome by_many = {.kind = SCA_OUTCOME_EXPLAINED, .of = SCA_NONE};
    ck_assert_uint_eq(sca_finding_phrase_other(&by_many), SCA_NONE);
}
END_TEST

/* ---- sentences ---- */

static void check_sentence(const char *text)
{
    size_t length = strlen(text);
    ck_assert_msg(length > 1 && !islower(text[0]), "'%s'", text);
    ck_assert_msg(text[length - 1] == '.' && !strchr(text, '%'), "'%s'", text);
}

/* Of the last finding. */
static const char *outcome(struct sca_outcome is)
{
    const struct sca_finding finding = {.number = 2};
    outcomes[2] = is;
    return sca_finding_phrase_outcome(buffer, &analysis, &finding);
}

START_TEST(outcomes_in_sentences)
{
    for (int i = 0; i < OUTCOMES; i++)
        check_sentence(outcome((struct sca_outcome){.kind = i, .number = 1, .least = 2}));
    ck_assert_str_eq(outcome((struct sca_outcome){.kind = SCA_OUTCOME_CAUSE}), "A cause.");
    ck_assert_str_eq(outcome((struct sca_outcome){.kind = SCA_OUTCOME_REFINED, .of = 1}),
                     "Finding 2 describes it better.");
    ck_assert_str_eq(outcome((struct sca_outcome){.kind = SCA_OUTCOME_EXPLAINED, .of = 0}),
                     "Explained by finding 1, which has most of the excess.");
    ck_assert_str_eq(outcome((struct sca_outcome){.kind = SCA_OUTCOME_EXPLAINED, .of = SCA_NONE}),
                     "Explained by other findings.");
}
END_TEST

START_TEST(what_is_too_little_is_told_with_what_is_needed)
{
    ck_assert_str_eq(
        outcome((struct sca_outcome){.kind = SCA_OUTCOME_LITTLE, .number = 1.5, .least = 2}),
        "Not a cause: fixing it saves 1.5 core-s; the threshold is 2.");
    ck_assert_ptr_nonnull(strstr(
        outcome((struct sca_outcome){.kind = SCA_OUTCOME_LITTLE_DOUBT, .number = 0.5, .least = 3}),
        "saves 0.5 core-s; the threshold is 3."));
}
END_TEST

static const char *evidence(enum sca_evidence_kind kind, uint32_t of, double number, double other)
{
    const struct sca_evidence e = {kind, of, number, other};
    return sca_finding_phrase_evidence(buffer, &analysis, &e);
}

/* But that other runs were asked says nothing where there are some. */
START_TEST(evidence_in_sentences)
{
    for (int i = 0; i < EVIDENCE; i++)
        if (i != SCA_EVIDENCE_ASKED)
            check_sentence(evidence(i, 0, 2, 3));
    ck_assert_str_eq(evidence(SCA_EVIDENCE_ASKED, 0, 0, 0), "");
    ppg.nruns = 1;
    ck_assert_str_eq(evidence(SCA_EVIDENCE_ASKED, 0, 0, 0),
                     "No other run is available for comparison.");
    ppg.nruns = 3;
    ck_assert_str_eq(evidence(SCA_EVIDENCE_REFINED, 0, 0, 0), "It replaces finding 1.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_ROTATES, 0, 30, 100),
                     "In 30 of 100 instances at least one rank takes long.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_BY_WINDOWS, 0, 1.25, 0.5),
                     "Consecutive windows show the same ranks late, at 1.25x their baseline; all "
                     "ranks lost 0.5 core-s to it.");
    ck_assert_ptr_nonnull(
        strstr(evidence(SCA_EVIDENCE_ONE_READING, SCA_SCALING_STRONG, 0, 0), "stays the same"));
}
END_TEST

START_TEST(other_runs_are_told_by_their_ranks)
{
    ck_assert_str_eq(evidence(SCA_EVIDENCE_NOT_IN, 0, 0, 0),
                     "The run on 4 ranks does not show it.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_NOT_IN, 1, 0, 0),
                     "Another run on 8 ranks does not show it.");
    ck_assert_ptr_nonnull(
        strstr(evidence(SCA_EVIDENCE_NOT_IN, 0, 1.02, 1.5),
               "does not show it: the corresponding ranks take 1.02 times as long"));
    ck_assert_str_eq(evidence(SCA_EVIDENCE_STANDS_IN, 1, 1.5, 3),
                     "Another run on 8 ranks shows it too: 1.50x, 3 s.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_STANDS_IN, 0, 0, 3),
                     "The run on 4 ranks shows it too: 3 s."); /* the others have none */
}
END_TEST

START_TEST(few_instances_are_not_many)
{
    ck_assert_str_eq(evidence(SCA_EVIDENCE_SINGLE, 0, 1, 0), "It runs only 1 time.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_SINGLE, 0, SCA_SEVERAL - 1, 0), "It runs only 3 times.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_SINGLE, 0, SCA_SEVERAL, 0),
                     "One instance of 4 has most of the excess.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_SET_UP, 0, 1, 0),
                     "It runs only 1 time, as initialisation does.");
    ck_assert_str_eq(evidence(SCA_EVIDENCE_SET_UP, 0, 2, 0),
                     "It runs only 2 times, as initialisation does.");
}
END_TEST

START_TEST(where_it_is)
{
    uint32_t ranks[] = {4, 5, 6, 7};
    struct sca_finding finding = {.vertex = 1, .nranks = 4, .ranks = ranks};
    ck_assert_str_eq(sca_finding_phrase_where(buffer, &analysis, &finding),
                     "cg.c:12 loop in solve, ranks 4-7");
    finding.nranks = 1;
    finding.interval =
        (struct sca_finding_interval){.part = SCA_ALL_OF_INTERVAL, .after = SCA_NONE, .before = 2};
    ck_assert_str_eq(sca_finding_phrase_where(buffer, &analysis, &finding),
                     "cg.c:12 loop in solve, between MPI_Init and cg.c:20 MPI_Barrier, rank 4");
    finding.interval.part = SCA_RANKS_OF_INTERVAL; /* samples tell the line */
    ck_assert_str_eq(sca_finding_phrase_where(buffer, &analysis, &finding),
                     "cg.c:12 loop in solve, rank 4");
}
END_TEST

static const char *interval(enum sca_interval_part part, bool any, double on, double off)
{
    const struct sca_finding finding = {
        .interval = {.part = part, .any = any, .core = {.on = on, .off = off}}};
    return sca_finding_phrase_interval(buffer, &finding);
}

START_TEST(what_exact_times_tell)
{
    ck_assert_str_eq(interval(SCA_NO_INTERVAL, false, 1, 1), "");
    ck_assert_str_eq(
        interval(SCA_RANKS_OF_INTERVAL, false, 1, 1),
        "Exact times between two calls identify the ranks; samples identify the line.");
    ck_assert_str_eq(interval(SCA_ALL_OF_INTERVAL, false, 1.5, 0),
                     "Exact times between the two calls show it.");
    ck_assert_str_eq(interval(SCA_ALL_OF_INTERVAL, true, 1.5, 0),
                     "Exact times from that call to the next show it.");
    ck_assert_str_eq(interval(SCA_ALL_OF_INTERVAL, false, 1.5, 0.5),
                     "Exact times between the two calls show it: 1.5 s on the core, 0.5 s off it.");
}
END_TEST

SCA_SUITE("finding_phrase", each_outcome_has_a_word_of_its_own,
          each_kind_of_evidence_has_a_word_of_its_own, what_rotates_is_a_category_in_words,
          groups_are_as_findings_are_shown, only_some_outcomes_name_another, outcomes_in_sentences,
          what_is_too_little_is_told_with_what_is_needed, evidence_in_sentences,
          other_runs_are_told_by_their_ranks, few_instances_are_not_many, where_it_is,
          what_exact_times_tell)
