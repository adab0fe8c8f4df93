/* Findings stay, whatever becomes of them. */
#include "findings/ledger.h"
#include "check_main.h"

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_ledger ledger;

static void begin(void)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    sca_ledger_begin(&space, &ledger);
}

static void end(void)
{
    sca_workspace_free(&space);
}

static const struct sca_finding *append(uint32_t vertex)
{
    const struct sca_finding draft = {.vertex = vertex};
    return sca_ledger_append(&ledger, &draft);
}

/* Whether the open ones are these, in this order. */
static bool are_open(uint32_t n, const struct sca_finding *const *expected)
{
    bool are = ledger.open.count == n;
    for (uint32_t i = 0; i < n && are; i++)
        are = ledger.open.items[i] == expected[i];
    return are;
}

static void add(const struct sca_finding *finding, enum sca_evidence_kind kind, double number)
{
    sca_ledger_add_evidence(&ledger, finding,
                            (struct sca_evidence){.kind = kind, .number = number});
}

START_TEST(numbers_and_addresses_stay)
{
    const struct sca_finding *first = append(7);
    for (uint32_t i = 1; i < 100; i++)
        ck_assert_uint_eq(append(i)->number, i);
    ck_assert_ptr_eq(first, ledger.all[0]);
    ck_assert_uint_eq(first->vertex, 7);
    ck_assert_uint_eq(ledger.count, 100);
    ck_assert_uint_eq(ledger.open.count, 100);
}
END_TEST

START_TEST(what_is_closed_is_kept_with_the_reason)
{
    const struct sca_finding *a = append(1), *b = append(2), *c = append(3);
    sca_ledger_close(&ledger, b, (struct sca_outcome){.kind = SCA_OUTCOME_SCATTER});
    ck_assert(are_open(2, (const struct sca_finding *[]){a, c}));
    sca_ledger_close(&ledger, b, (struct sca_outcome){.kind = SCA_OUTCOME_CAUSE});
    ck_assert_int_eq(ledger.outcomes[1].kind, SCA_OUTCOME_SCATTER); /* the first outcome stays */
    ck_assert_ptr_eq(ledger.all[1], b);
    ck_assert_int_eq(ledger.outcomes[0].kind, SCA_OUTCOME_OPEN);
}
END_TEST

START_TEST(what_is_known_already_is_never_open)
{
    const struct sca_finding *a = append(1), draft = {.vertex = 2};
    const struct sca_outcome known = {.kind = SCA_OUTCOME_EXPLAINED, .of = a->number};
    ck_assert_uint_eq(sca_ledger_append_closed(&ledger, &draft, known)->number, 1);
    ck_assert(are_open(1, &a));
    ck_assert_uint_eq(ledger.outcomes[1].of, a->number);
}
END_TEST

START_TEST(a_better_one_takes_the_turn_and_leaves_the_old_one)
{
    const struct sca_finding *a = append(1), *b = append(2);
    struct sca_finding draft = *a;
    draft.excess = 5;
    const struct sca_finding *better = sca_ledger_refine(&ledger, a, &draft);
    ck_assert(are_open(2, (const struct sca_finding *[]){better, b}));
    ck_assert_double_eq(a->excess, 0);
    ck_assert_int_eq(ledger.outcomes[a->number].kind, SCA_OUTCOME_REFINED);
    ck_assert_uint_eq(ledger.outcomes[a->number].of, better->number);
    ck_assert_uint_eq(sca_evidence_find(&better->evidence, SCA_EVIDENCE_REFINED)->of, a->number);
    ck_assert(!sca_finding_has(a, SCA_EVIDENCE_REFINED));
}
END_TEST

START_TEST(the_last_may_take_the_turn)
{
    const struct sca_finding *a = append(1), *b = append(2), *c = append(3);
    const struct sca_outcome refined = {.kind = SCA_OUTCOME_REFINED, .of = c->number};
    sca_ledger_close_for_last(&ledger, a, refined);
    ck_assert(are_open(2, (const struct sca_finding *[]){c, b}));
    sca_ledger_close_for_last(&ledger, b, refined);
    ck_assert(are_open(1, &c));
}
END_TEST

START_TEST(withheld_it_comes_back_behind_the_others)
{
    const struct sca_finding *a = append(1), *b = append(2);
    sca_ledger_withhold(&ledger, a);
    ck_assert(are_open(1, &b));
    sca_ledger_put_back(&ledger, a);
    ck_assert(are_open(2, (const struct sca_finding *[]){b, a}));
    sca_ledger_withhold(&ledger, b);
    sca_ledger_close(&ledger, b, (struct sca_outcome){.kind = SCA_OUTCOME_NOTE});
    ck_assert(are_open(1, &a));
}
END_TEST

/* A draft that was made from a finding does not get what is added to that later. */
START_TEST(evidence_is_only_added)
{
    const struct sca_finding *a = append(1);
    add(a, SCA_EVIDENCE_SINGLE, 20);
    struct sca_finding draft = *a;
    add(a, SCA_EVIDENCE_NOT_CONFIRMED, 0);
    sca_finding_add_evidence(&space, &draft, (struct sca_evidence){.kind = SCA_EVIDENCE_CONFIRMED});
    ck_assert_uint_eq(a->evidence.count, 2);
    ck_assert_uint_eq(draft.evidence.count, 2);
    ck_assert(!sca_finding_has(a, SCA_EVIDENCE_CONFIRMED));
    ck_assert(!sca_finding_has(&draft, SCA_EVIDENCE_NOT_CONFIRMED));
    ck_assert_uint_eq(sca_finding_instances(a), 20);
}
END_TEST

START_TEST(cores_may_be_to_blame_until_a_run_settles_it)
{
    const struct sca_finding *a = append(1);
    ck_assert(!sca_finding_is_inconclusive(a) && !sca_finding_is_note(a));
    add(a, SCA_EVIDENCE_CORES, 0);
    ck_assert(sca_finding_is_inconclusive(a) && sca_finding_is_note(a));
    add(a, SCA_EVIDENCE_CONFIRMED, 0);
    ck_assert(!sca_finding_is_inconclusive(a) && !sca_finding_is_note(a));
    add(a, SCA_EVIDENCE_NOT_CONFIRMED, 0); /* nor do other runs have it */
    ck_assert(sca_finding_is_inconclusive(a));
}
END_TEST

/* What came once, and no other run has, is told; cores are not asked for it. */
START_TEST(what_came_once_is_told)
{
    const struct sca_finding *a = append(1), *b = append(2), *c = append(3);
    add(a, SCA_EVIDENCE_SINGLE, 100);
    ck_assert(!sca_finding_is_note(a));
    add(a, SCA_EVIDENCE_NOT_CONFIRMED, 0);
    ck_assert(sca_finding_is_note(a) && !sca_finding_is_inconclusive(a));
    add(b, SCA_EVIDENCE_OFF_CORE, 1.5);
    ck_assert(sca_finding_is_note(b) && !sca_finding_is_inconclusive(b));
    ck_assert_double_eq(sca_finding_off_core(b), 1.5);
    add(c, SCA_EVIDENCE_SET_UP, 2);
    ck_assert(sca_finding_is_note(c));
    ck_assert_uint_eq(sca_finding_instances(c), 2);
}
END_TEST

/* As the ranks differ elsewhere, cores may have done it. */
START_TEST(what_is_skewed_is_judged_by_its_pattern)
{
    const struct sca_finding *a = append(1), *b = append(2);
    add(a, SCA_EVIDENCE_SKEWED, 0);
    add(a, SCA_EVIDENCE_SLOW_ELSEWHERE, 0);
    ck_assert(sca_finding_is_note(a) && sca_finding_is_inconclusive(a));
    add(b, SCA_EVIDENCE_SKEWED, 0);
    add(b, SCA_EVIDENCE_PATTERN_INCONCLUSIVE, 0);
    ck_assert(sca_finding_is_note(b) && !sca_finding_is_inconclusive(b));
}
END_TEST

/* 0.4 by its own run, 0.3 by another: 0.4 * 0.3 / 0.5. */
START_TEST(another_run_makes_it_more_exact)
{
    struct sca_finding draft = {.transform.error = 0.4};
    ck_assert_double_eq_tol(sca_finding_error(&draft), 0.4, 1e-12);
    sca_finding_add_evidence(&space, &draft,
                             (struct sca_evidence){.kind = SCA_EVIDENCE_REPLICATED, .number = 0.3});
    ck_assert_double_eq_tol(sca_finding_error(&draft), 0.24, 1e-12);
    draft.transform.error = 0; /* of what instances tell */
    ck_assert_double_eq(sca_finding_error(&draft), 0);
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {numbers_and_addresses_stay,
                                  another_run_makes_it_more_exact,
                                  what_is_closed_is_kept_with_the_reason,
                                  what_is_known_already_is_never_open,
                                  a_better_one_takes_the_turn_and_leaves_the_old_one,
                                  the_last_may_take_the_turn,
                                  withheld_it_comes_back_behind_the_others,
                                  evidence_is_only_added,
                                  cores_may_be_to_blame_until_a_run_settles_it,
                                  what_came_once_is_told,
                                  what_is_skewed_is_judged_by_its_pattern};
    Suite *suite = suite_create("ledger");
    TCase *tcase = tcase_create("ledger");
    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
