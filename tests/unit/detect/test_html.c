#include "html/html.h"
#include "sample_report.h"
#include "sca_error.h"
#include "check_main.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMP_FOLDER];

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *contents(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    char *text = NULL;
    size_t space = 0;
    ssize_t n = getdelim(&text, &space, '\0', file);
    fclose(file);
    ck_assert_int_ge(n, 0);
    if (length)
        *length = (size_t)n;
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* The page of a report, which is released; free() the page. */
static char *page_of(struct sca_report *report, size_t *length)
{
    const char *path = in_folder("page.html");
    ck_assert_msg(sca_html_write(report, path) == SCA_OK, "%s", sca_error_message());
    sca_report_free(report);
    char *page = contents(path, length);
    unlink(path);
    return page;
}

static void has(const char *page, const char *text)
{
    ck_assert_msg(strstr(page, text), "not on the page: %s", text);
}

static void lacks(const char *page, const char *text)
{
    ck_assert_msg(!strstr(page, text), "on the page: %s", text);
}

START_TEST(what_is_known_beside_the_place_is_text_between_tags)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    r->causes[0].inner_share = 0.84;
    r->causes[0].inner_function = "flop<int>";
    r->causes[0].inner_file = "/src/work.h";
    r->causes[0].inner_line = 4;
    r->causes[0].counter = "perf::PAGE-FAULTS";
    r->causes[0].counter_each = 80000;
    char *page = page_of(r, NULL);
    has(page, "<p><b>Mostly in</b> flop&lt;int&gt; (work.h:4), 84 % of it</p>");
    has(page, "<p><b>Counted</b> 80 thousand perf::PAGE-FAULTS on this rank, none on each other "
              "rank</p>");
    lacks(page, "&lt;p&gt;");
    free(page);
}
END_TEST

START_TEST(the_verdict_comes_first_and_in_words)
{
    char *page = page_of(sca_sample_cg("/nowhere/cg.c"), NULL);
    has(page, "Rank 4 (on nodeB) spends 3.1\xc3\x97 the other ranks\xe2\x80\x99 time in the loop "
              "at cg.c:24; the other ranks wait 13.7 core-seconds (38\xc2\xa0%) for it in "
              "MPI_Allreduce at cg.c:44 and 1 other place");
    has(page, "8 ranks on 2 hosts: node&lt;A&gt; (10.0.0.1) 0-3; nodeB (10.0.0.2) 4-7");
    has(page, "<td>nodeB</td><td>10.0.0.2</td><td class=\"n\">4</td><td>4-7</td>");
    has(page, "<td>main \xe2\x80\xba conj_grad (cg.c:72)</td>");
    has(page, "Rank 0 (on node&lt;A&gt;) spends time in the code at cg.c:62: only on this rank; "
              "the other ranks wait");
    has(page, "shrinks too little on more ranks");
    has(page, "More ranks than cores: costs are as if each rank had a core.");
    ck_assert(strstr(page, "id=\"verdict\"") < strstr(page, "id=\"account\""));
    free(page);
}
END_TEST

START_TEST(a_cause_between_two_calls_names_them)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    report->causes[0].between = true;
    report->causes[0].after = 6;
    report->causes[0].before = 7;
    char *page = page_of(report, NULL);
    has(page, "in the loop at cg.c:24, between cg.c:36 MPI_Wait and cg.c:44 MPI_Allreduce; the "
              "other ranks wait");
    has(page, "<h3 id=\"h-cause-1\">1. imbalance: the loop at cg.c:24, between cg.c:36 MPI_Wait");
    has(page, "<td>cg.c:24, between cg.c:36 MPI_Wait and cg.c:44 MPI_Allreduce</td>");
    free(page);
}
END_TEST

START_TEST(ranks_are_named_with_their_places)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    uint32_t dims[] = {4, 2};
    bool periodic[] = {true, false};
    int32_t places[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, 3, 1};
    report->runs[2].topology =
        (struct sca_report_topology){"cart", 2, dims, periodic, 8, 2, places};
    char *page = page_of(report, NULL);
    has(page, "Rank 4 (2,0) (on nodeB) spends");
    has(page, "<td class=\"n\">4 (2,0)</td>");
    has(page, "<th scope=\"row\">7 (3,1)</th>");
    free(page);
}
END_TEST

START_TEST(a_healthy_program_is_told_so_with_its_efficiency)
{
    char *page = page_of(sca_sample_healthy(), NULL);
    has(page, "No cause of scaling loss found above 2 % of ranks x wall. On 8 ranks parallel "
              "efficiency is 0.70 (load balance 0.75, communication 0.93). That is low: mostly "
              "waiting, at healthy.c:44 MPI_Allreduce in conj_grad.");
    lacks(page, "class=\"cause\"");
    lacks(page, "#causes");
    free(page);
}
END_TEST

START_TEST(locks_are_drawn_where_threads_wait_for_them)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_contention(report, 40);
    char *page = page_of(report, NULL);
    has(page, "Threads waited 80 s for locks");
    has(page, "<title>rank 1, thread 0 had table_lock from ");
    has(page, "made at cg.c:12");
    has(page, "rank 1, thread 1 waited for it at ");
    has(page, "8 threads and 0 places are left out");
    has(page, "Of 40 s the threads are not known");
    free(page);
    page = page_of(sca_sample_cg("/nowhere/cg.c"), NULL);
    lacks(page, "#locks");
    lacks(page, "id=\"locks\"");
    free(page);
}
END_TEST

START_TEST(ranks_that_share_cores_get_an_account_without_the_wall_clock)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    report->runs[2].oversubscribed = true;
    report->runs[2].account.is_virtual = true;
    report->runs[2].wall_s = 70;
    char *page = page_of(report, NULL);
    has(page, "8 ranks \xc3\x97 7.00 s = 56.0 core-seconds, assuming one core per rank");
    has(page, "more ranks than cores");
    has(page, "whole program, assuming one core per rank");
    free(page);
}
END_TEST

/* Its first line says so, and no text joins another one. */
START_TEST(a_run_that_was_killed_is_incomplete_at_first_sight)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    struct sca_report_run *last = &report->runs[report->nruns - 1];
    char first[64];
    last->complete = false;
    last->oversubscribed = true;
    snprintf(first, sizeof first, "1 of %u runs incomplete</p>", report->nruns);
    char *page = page_of(report, NULL);
    has(page, first);
    has(page, "<td>incomplete, more ranks than cores</td>");
    free(page);
}
END_TEST

/* What one shows: three figures, the cause's ranks with their numbers, a bar for each run. */
START_TEST(the_first_screen_is_in_short)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    const char *warning = "The runs had different arguments.";
    report->warnings = &warning;
    report->nwarnings = 1;
    uint32_t nruns = report->nruns;
    char *page = page_of(report, NULL), *bars = page;
    has(page, "<section id=\"summary\"");
    has(page, "<h3>Parallel efficiency</h3>");
    has(page, "<h3>Can be saved</h3>");
    has(page, "<a href=\"#cause-1\">cg.c:");
    has(page, ">rank 4</text>");
    has(page, "The runs had different arguments.");
    for (uint32_t i = 0; i < nruns; i++, bars++)
        ck_assert_ptr_nonnull(bars = strstr(bars, "class=\"runbar\""));
    ck_assert_ptr_null(strstr(bars, "class=\"runbar\""));
    ck_assert(strstr(page, "different arguments") < strstr(page, "Parallel efficiency"));
    free(page);
}
END_TEST

/* Rounded parts of a whole that add up to it, give or take a rounding. */
START_TEST(the_parts_of_the_account_make_a_hundred_percent)
{
    char *page = page_of(sca_sample_cg("/nowhere/cg.c"), NULL);
    const char *at = strstr(page, "Parts of the largest run</caption>"),
               *end = strstr(at, "</table>");
    double sum = 0;
    while ((at = strstr(at, "</td><td class=\"n\">")) && at < end)
        sum += strtod(at += strlen("</td><td class=\"n\">"), NULL);
    ck_assert_double_eq_tol(sum, 100, 0.15);
    free(page);
}
END_TEST

START_TEST(repeated_runs_and_paths_of_one_line_are_told_once)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    report->runs[1].ranks = report->runs[2].ranks;
    report->vertices[6].line = report->vertices[7].line;
    report->vertices[6].name = report->vertices[7].name;
    char *page = page_of(report, NULL);
    has(page, "<p>on 2 and 8 ranks (3 runs), strong scaling</p>");
    has(page, "<li>13.7 core-seconds in MPI_Allreduce at cg.c:44</li>\n</ul>");
    lacks(page, "other place");
    free(page);
}
END_TEST

START_TEST(a_cause_that_rotates_is_told_so)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    report->causes[0].ranks = report->causes[1].ranks;
    report->causes[0].nranks = 8;
    char *page = page_of(report, NULL);
    has(page, "In rotation, all 8 ranks spend 3.1\xc3\x97 the other ranks");
    free(page);
}
END_TEST

START_TEST(what_a_program_names_is_text)
{
    struct sca_report *report = sca_sample_hostile();
    report->vertices[7].name = "<script>alert(\"1\" & '2')</script>";
    report->vertices[6].name = "\xe2\x80\xaegnp.exe \xff";
    char *page = page_of(report, NULL), *p = page;
    int scripts = 0;
    for (; (p = strstr(p, "<script")); p++)
        scripts++;
    ck_assert_int_eq(scripts, 2); /* ours, and the explorer's data */
    has(page, "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
    has(page, "std::vector&lt;std::pair&lt;int");
    has(page, "a\tb&#x2407;&lt;script&gt;");
    for (p = page; *p; p++)
        ck_assert_msg((unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t', "a control character");
    lacks(page, "\xe2\x80\xae");
    has(page, "&lt;U+202E&gt;gnp.exe \xef\xbf\xbd");
    free(page);
}
END_TEST

/* Rows in each of their forms, what was not counted, and the way from a cause to them. */
START_TEST(the_explorer_has_the_metrics_of_the_report)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    struct sca_report_metric_row *spread = &report->metrics[0].rows[1];
    spread->complete = spread->same = false;
    spread->nvalues = 0;
    spread->nquantiles = 2;
    spread->quantiles[0] = 0.25;
    spread->quantiles[1] = 0.75;
    spread->least_rank = 3;
    char *page = page_of(report, NULL);
    has(page, "\n[4,11.5,[1,1.125,1.25,1.375,1.5,1.625,1.75,1.875]]");
    has(page, "\n[5,4,[0.25,0.75],3,0,[],[]]");
    has(page, "\n[7,2.5,[4],[2.5]]");
    has(page, "\"by_rank\":[1.5,1.625,");
    has(page, "\"absent\":\"no counter\"");
    has(page, "\"parent\":1,\"rows\":[]");
    has(page, "<a class=\"explore\" href=\"#explorer\" data-vertex=\"4\" "
              "data-metric=\"computation\">Show it in the explorer</a>");
    has(page, "<noscript><p>The explorer needs JavaScript");
    lacks(page, "\"lacks\":[\"metrics");
    free(page);
    report = sca_sample_cg("/nowhere/cg.c");
    report->nmetrics = 0;
    page = page_of(report, NULL);
    has(page, "\"lacks\":[\"metrics");
    has(page, "{\"name\":\"mpi_time\",\"title\":\"Time in MPI\"");
    free(page);
}
END_TEST

START_TEST(the_source_is_shown_with_its_lines_marked)
{
    char source[256], lines[1200] = "";
    snprintf(source, sizeof source, "%s", in_folder("cg.c"));
    for (int i = 1; i <= 40; i++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines),
                 i == 25 ? "caf\xe9 <%d>\n" : "int a%d;\n", i);
    write_text(source, lines);
    char *page = page_of(sca_sample_cg(source), NULL);
    has(page, "\xe2\x96\xb6   24 </span>int a24;</mark>");
    has(page, "caf\xc3\xa9 &lt;25&gt;");
    has(page, "</span>int a21;\n");
    lacks(page, "int a20;");
    has(page, "it is shorter now"); /* cause 2 is at line 80 */
    unlink(source);
    free(page);
}
END_TEST

START_TEST(a_missing_source_is_said)
{
    char *page = page_of(sca_sample_cg("/nowhere/<cg>.c"), NULL);
    has(page, "Source not found: /nowhere/&lt;cg&gt;.c");
    free(page);
}
END_TEST

START_TEST(a_source_beside_the_program_is_found_and_its_change_said)
{
    char source[256], program[256];
    const struct timespec old[2] = {{1000, 0}, {1000, 0}};
    snprintf(source, sizeof source, "%s", in_folder("moved.c"));
    snprintf(program, sizeof program, "%s", in_folder("cg"));
    write_text(source, "int one;\nint two;\n");
    write_text(program, "");
    for (int changed = 1; changed >= 0; changed--) {
        struct sca_report *report = sca_sample_cg("/build/machine/moved.c");
        report->path = program;
        report->vertices[4].line = report->vertices[4].end_line = 2;
        ck_assert_int_eq(utimensat(AT_FDCWD, changed ? program : source, old, 0), 0);
        char *page = page_of(report, NULL);
        has(page, "    2 </span>int two;</mark>");
        ck_assert_int_eq(strstr(page, "The source has changed since it was compiled") != NULL,
                         changed);
        free(page);
    }
    unlink(source);
    unlink(program);
}
END_TEST

START_TEST(the_checksum_of_a_source_counts_more_than_its_date)
{
    static const char *const sums[] = {"c27bf0e41e64067592d0b8e5221c265d",
                                       "00000000000000000000000000000000"};
    char source[300];
    snprintf(source, sizeof source, "%s", in_folder("sum.c"));
    write_text(source, "int one;\nint two;\n");
    for (int changed = 0; changed < 2; changed++) {
        struct sca_report *report = sca_sample_cg(source);
        struct sca_report_source recorded = {source, sums[changed]};
        report->sources = &recorded;
        report->nsources = 1;
        report->vertices[4].line = report->vertices[4].end_line = 2;
        char *page = page_of(report, NULL);
        has(page, "    2 </span>int two;</mark>");
        ck_assert_int_eq(strstr(page, "The source has changed since it was compiled") != NULL,
                         changed);
        free(page);
    }
    unlink(source);
}
END_TEST

START_TEST(the_same_report_gives_the_same_bytes)
{
    char *one = page_of(sca_sample_hostile(), NULL), *two = page_of(sca_sample_hostile(), NULL);
    ck_assert_str_eq(one, two);
    free(one);
    free(two);
}
END_TEST

START_TEST(large_reports_stay_small)
{
    size_t wide, many, huge;
    free(page_of(sca_sample_large(1000, 128), &wide));
    free(page_of(sca_sample_large(10000, 8), &many));
    free(page_of(sca_sample_large(50, 20000), &huge));
    ck_assert_uint_lt(wide, 2000000);
    ck_assert_uint_lt(many, 2000000);
    ck_assert_uint_lt(huge, 8000000);
}
END_TEST

START_TEST(many_ranks_are_grouped_and_many_causes_counted)
{
    char *page = page_of(sca_sample_large(1000, 1024), NULL);
    has(page, "995 more causes");
    has(page, "in groups, the longest of each");
    has(page, ">1016-1023</th>");
    has(page, "700 more are in the JSON report");
    free(page);
}
END_TEST

START_TEST(a_report_of_nothing_is_a_page_too)
{
    struct sca_report *report = sca_report_new();
    report->program = "empty";
    char *page = page_of(report, NULL);
    has(page, "<h1>empty</h1>");
    has(page, "</html>\n");
    free(page);
}
END_TEST

START_TEST(figures_that_are_no_numbers_break_nothing)
{
    struct sca_report *report = sca_sample_cg("/nowhere/cg.c");
    report->vertices[4].rank_s[2] = 0.0 / 0.0;
    report->vertices[9].run_s[1] = 1.0 / 0.0;
    report->nonscalable[0].slope_ci[1] = 1.0 / 0.0;
    report->runs[0].wall_s = 0;
    char *page = page_of(report, NULL);
    has(page, "</html>\n");
    lacks(strstr(page, "id=\"curves\""), "d=\"Mnan");
    free(page);
}
END_TEST

START_TEST(an_error_leaves_the_earlier_page)
{
    char path[300];
    struct sca_report *report = sca_sample_healthy();
    snprintf(path, sizeof path, "%s/no/page.html", folder);
    ck_assert_int_eq(sca_html_write(report, path), SCA_EIO);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), path));
    ck_assert_int_eq(sca_html_write(report, "/dev/full"), SCA_EIO);
    sca_report_free(report);
}
END_TEST

static void make_folder(void)
{
    temp_folder(folder);
}

static void drop_folder(void)
{
    temp_folder_drop(folder);
}

Suite *test_suite(void)
{
    const TTest *const tests[] = {
        what_is_known_beside_the_place_is_text_between_tags,
        the_verdict_comes_first_and_in_words,
        a_cause_between_two_calls_names_them,
        ranks_are_named_with_their_places,
        a_healthy_program_is_told_so_with_its_efficiency,
        ranks_that_share_cores_get_an_account_without_the_wall_clock,
        locks_are_drawn_where_threads_wait_for_them,
        the_parts_of_the_account_make_a_hundred_percent,
        the_first_screen_is_in_short,
        a_run_that_was_killed_is_incomplete_at_first_sight,
        repeated_runs_and_paths_of_one_line_are_told_once,
        a_cause_that_rotates_is_told_so,
        what_a_program_names_is_text,
        the_explorer_has_the_metrics_of_the_report,
        the_source_is_shown_with_its_lines_marked,
        the_checksum_of_a_source_counts_more_than_its_date,
        a_missing_source_is_said,
        a_source_beside_the_program_is_found_and_its_change_said,
        the_same_report_gives_the_same_bytes,
        large_reports_stay_small,
        many_ranks_are_grouped_and_many_causes_counted,
        a_report_of_nothing_is_a_page_too,
        figures_that_are_no_numbers_break_nothing,
        an_error_leaves_the_earlier_page,
    };
    Suite *suite = suite_create("html");
    TCase *tcase = tcase_create("html");
    tcase_add_unchecked_fixture(tcase, make_folder, drop_folder);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
