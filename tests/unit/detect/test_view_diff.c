/* --view=diff: did the change help? On two reports that are written by hand. */
#include "views/diff.h"
#include "check_main.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct told { /* what differs between the two reports */
    const char *program, *function, *arguments;
    double loop_s, wait_s, chance_s, step_ns, gain; /* gain 0: no cause */
    unsigned ranks;                                 /* 0: 4 */
    bool doubted, inner, uneven; /* the cause is not confirmed; is in the loop within; rank 1 takes
                                    half of the time */
};

static const struct told BEFORE = {.program = "heat",
                                   .function = "relax",
                                   .arguments = "-n 8",
                                   .loop_s = 6,
                                   .wait_s = 2,
                                   .chance_s = 0.5,
                                   .step_ns = 1,
                                   .gain = 2};

static struct sca_workspace space;
static jmp_buf out_of_memory;
static struct sca_diff_side sides[2];
static struct sca_table table;

static void write_cause(FILE *file, const struct told *t)
{
    if (t->gain > 0)
        fprintf(file,
                "{\"vertex\":%d,\"category\":\"imbalance\",\"ranks\":[1],\"cost_core_s\":2,"
                "\"gain_core_s\":%g,\"gain_share\":%g,\"gain_ci_core_s\":[%g,%g],"
                "\"doubt\":\"%s\"}",
                t->inner ? 3 : 1, t->gain, t->gain / 10, 0.9 * t->gain, 1.1 * t->gain,
                t->doubted ? "few samples" : "");
}

/* Of a loop, over the ranks. */
static void write_ranks(FILE *file, const struct told *t)
{
    for (int r = 0; r < 4; r++)
        fprintf(file, "%s%g", r ? "," : "",
                t->loop_s * (!t->uneven ? 0.25
                             : r == 1   ? 0.5
                                        : 0.5 / 3));
}

/* 4 ranks: a loop with one within it, a barrier, what is by chance, and 1 core-second that no place
 * has. */
static void write_report(const char *path, const struct told *t)
{
    FILE *file = fopen(path, "w");
    double base = t->loop_s + t->wait_s + t->chance_s + 1;
    fprintf(file,
            "{\"schema\":\"scalana-report/1\",\"program\":{\"name\":\"%s\",\"build_id\":\"1\"},"
            "\"runs\":[{\"ranks\":%u,"
            "\"wall_s\":9,\"oversubscribed\":true,\"arguments\":\"%s\",\"directory\":\"/home\","
            "\"core_step_ns\":%g,\"account\":{\"is_virtual\":true,\"duration_s\":%g,"
            "\"base_core_s\":%g,\"disturbed_core_s\":%g}}],",
            t->program, t->ranks ? t->ranks : 4, t->arguments, t->step_ns, base / 4, base,
            t->chance_s);
    fprintf(file,
            "\"vertices\":[{\"kind\":\"root\",\"function\":\"main\",\"run_s\":[%g]},"
            "{\"kind\":\"loop\",\"function\":\"%s\",\"file\":\"%s.c\",\"line\":9,\"parent\":0,"
            "\"run_s\":[%g],\"rank_s\":[",
            t->loop_s, t->function, t->function, t->loop_s);
    write_ranks(file, t);
    fprintf(file,
            "]},{\"kind\":\"mpi\",\"name\":\"MPI_Barrier\",\"function\":\"%s\",\"file\":\"%s.c\","
            "\"line\":20,\"parent\":0,\"run_s\":[60]},"
            "{\"kind\":\"loop\",\"function\":\"%s\",\"file\":\"%s.c\",\"line\":11,\"parent\":1,"
            "\"run_s\":[0]}],",
            t->function, t->function, t->function, t->function);
    fprintf(file,
            "\"waits\":[{\"vertex\":2,\"class\":\"wait-at-barrier\",\"wait_core_s\":%g}],"
            "\"root_causes\":[",
            t->wait_s);
    if (!t->doubted)
        write_cause(file, t);
    fprintf(file, "],\"unconfirmed_causes\":[");
    if (t->doubted)
        write_cause(file, t);
    fprintf(file, "]}");
    fclose(file);
}

/* The status of the check; the table is made where that is SCA_OK. */
static int compare(const struct told *before, const struct told *after)
{
    char directory[TEMP_FOLDER], path[TEMP_FOLDER + 8];
    const struct told *told[] = {before, after};
    memset(sides, 0, sizeof sides);
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    temp_folder(directory);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%d.json", directory, i);
        write_report(path, told[i]);
        ck_assert_int_eq(sca_diff_open(&space, path, &(struct sca_settings){0}, &sides[i]), SCA_OK);
    }
    temp_folder_drop(directory);
    table = (struct sca_table){.space = &space, .view = "diff"};
    int status = sca_diff_check(&space, &sides[0], &sides[1]);
    if (status == SCA_OK)
        sca_diff_view(&sides[0], &sides[1], 0, &table);
    return status;
}

static void finish(void)
{
    for (int i = 0; i < 2; i++)
        sca_diff_close(&sides[i]);
    sca_workspace_free(&space);
}

static double cell(const struct sca_table *t, uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < t->ncolumns; c++)
        if (!strcmp(t->columns[c].key, key))
            return t->rows[row].cells[c].number;
    ck_abort_msg("no column %s", key);
}

static bool says(const char *text)
{
    for (uint32_t i = 0; i < table.answer->nrows; i++)
        if (strstr(table.answer->rows[i].label, text))
            return true;
    return false;
}

START_TEST(a_cause_that_is_gone_has_what_was_promised_and_what_was_obtained)
{
    struct told after = BEFORE;
    after.loop_s = 4.5;
    after.wait_s = 0.2;
    after.gain = 0;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert(
        says("Cause 1 (relax.c:9 loop in relax): gone; promised 2.00, obtained 3.30 core-s."));
    ck_assert_double_eq_tol(cell(table.answer, 0, "promised_core_s"), 2, 1e-9);
    ck_assert_double_eq_tol(cell(table.answer, 0, "obtained_core_s"), 3.3, 1e-9);
    finish();
}
END_TEST

START_TEST(what_remains_is_told)
{
    struct told after = BEFORE, same = BEFORE;
    after.gain = 1;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert(says("smaller, 1.00 core-s can still be saved; promised 2.00"));
    finish();
    same.gain = 1.95;
    ck_assert_int_eq(compare(&BEFORE, &same), SCA_OK);
    ck_assert(says("unchanged, 1.95 core-s"));
    finish();
}
END_TEST

START_TEST(a_new_cause_is_told)
{
    struct told before = BEFORE;
    before.gain = 0;
    ck_assert_int_eq(compare(&before, &BEFORE), SCA_OK);
    ck_assert(says("New after the change: cause 1 (relax.c:9 loop in relax)"));
    ck_assert(says("no cause, so that nothing was promised"));
    finish();
}
END_TEST

START_TEST(on_another_number_of_ranks_nothing_is_gone_or_new)
{
    struct told after = BEFORE;
    after.ranks = 8;
    after.gain = 4;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert(says("Cause 1 (relax.c:9 loop in relax): on both; fixing saves 20 % on 4 ranks, 40 % "
                   "on 8 ranks."));
    ck_assert(says("Gains on 4 and on 8 ranks cannot be compared"));
    finish();
    after.gain = 0;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert(says("fixing saves 20 % on 4 ranks; not found on 8 ranks."));
    finish();
    ck_assert_int_eq(compare(&after, &BEFORE), SCA_OK);
    ck_assert(says("fixing saves 20 % on 4 ranks; not found on 8 ranks."));
    finish();
}
END_TEST

START_TEST(a_cause_that_is_not_confirmed_is_not_gone)
{
    struct told after = BEFORE;
    after.doubted = true;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert(says("not confirmed, 2.00 core-s may still be saved; promised 2.00 core-s."));
    finish();
    ck_assert_int_eq(compare(&after, &BEFORE), SCA_OK);
    ck_assert(says("Not confirmed before the change: cause 1"));
    finish();
}
END_TEST

START_TEST(a_cause_in_the_loop_within_is_the_same_one)
{
    struct told after = BEFORE;
    after.inner = true;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert(says("unchanged, now at line 11, 2.00 core-s can still be saved"));
    ck_assert(!says("New after"));
    finish();
}
END_TEST

START_TEST(ranks_that_still_take_longer_are_told)
{
    struct told before = BEFORE, after = BEFORE;
    before.uneven = after.uneven = true;
    after.gain = 0;
    ck_assert_int_eq(compare(&before, &after), SCA_OK);
    ck_assert(says("not reported, but its ranks still take 2.00 core-s more than the others"));
    finish();
}
END_TEST

START_TEST(rows_add_up_to_the_whole_program)
{
    struct told after = BEFORE;
    double before_s = 0, after_s = 0;
    after.loop_s = 5;
    after.chance_s = 0.1;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    for (uint32_t i = 1; i < table.nrows; i++) {
        before_s += cell(&table, i, "before_core_s");
        after_s += cell(&table, i, "after_core_s");
    }
    ck_assert_double_eq_tol(before_s, 9.5, 1e-9);
    ck_assert_double_eq_tol(before_s, cell(&table, 0, "before_core_s"), 1e-9);
    ck_assert_double_eq_tol(after_s, cell(&table, 0, "after_core_s"), 1e-9);
    finish();
}
END_TEST

/* The same program, on a core that takes a quarter longer for everything. */
START_TEST(a_slower_core_is_divided_out_and_said)
{
    struct told after = BEFORE;
    after.loop_s *= 1.25;
    after.step_ns *= 1.25;
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert_double_eq_tol(cell(&table, 0, "after_core_s"), (7.5 + 2 + 0.5 + 1) / 1.25, 1e-9);
    ck_assert_ptr_nonnull(strstr(table.notes[table.nnotes - 1], "1.25 times as slow"));
    finish();
    after.step_ns = 1.02; /* two measurements of one core */
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert_double_eq_tol(cell(&table, 0, "after_core_s"), 11, 1e-9);
    finish();
}
END_TEST

START_TEST(other_arguments_are_said_first)
{
    struct told after = BEFORE;
    after.arguments = "-n 16";
    ck_assert_int_eq(compare(&BEFORE, &after), SCA_OK);
    ck_assert_ptr_nonnull(strstr(table.answer->rows[0].label, "\"-n 8\" before and \"-n 16\""));
    finish();
}
END_TEST

START_TEST(two_programs_are_refused)
{
    struct told other = BEFORE, renamed = BEFORE;
    other.program = "fft";
    other.function = "butterfly";
    ck_assert_int_eq(compare(&BEFORE, &other), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "two different programs"));
    finish();
    renamed.program = "heat-fixed"; /* of the same sources */
    ck_assert_int_eq(compare(&BEFORE, &renamed), SCA_OK);
    finish();
}
END_TEST

SCA_SUITE("view_diff", a_cause_that_is_gone_has_what_was_promised_and_what_was_obtained,
          what_remains_is_told, a_new_cause_is_told,
          on_another_number_of_ranks_nothing_is_gone_or_new,
          a_cause_that_is_not_confirmed_is_not_gone, a_cause_in_the_loop_within_is_the_same_one,
          ranks_that_still_take_longer_are_told, rows_add_up_to_the_whole_program,
          a_slower_core_is_divided_out_and_said, other_arguments_are_said_first,
          two_programs_are_refused)
