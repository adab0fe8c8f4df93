#include "sample_report.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/sca-report-XXXXXX";
static char path[64];

static struct sca_report *round_trip(struct sca_report *report)
{
    struct sca_report *back = NULL;
    ck_assert_int_eq(sca_report_write(report, path), SCA_OK);
    ck_assert_msg(sca_report_read(path, &back) == SCA_OK, "%s", sca_error_message());
    sca_report_free(report);
    return back;
}

static int read_text(const char *text)
{
    struct sca_report *report = NULL;
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    int status = sca_report_read(path, &report);
    ck_assert((status == SCA_OK) == (report != NULL));
    sca_report_free(report);
    return status;
}

START_TEST(a_report_survives_the_file)
{
    struct sca_report *r = round_trip(sca_sample_cg("/src/cg.c"));
    ck_assert_str_eq(r->program, "cg");
    ck_assert_str_eq(r->scaling_mode, "strong");
    ck_assert_uint_eq(r->nruns, 3);
    ck_assert_uint_eq(r->runs[2].ranks, 8);
    ck_assert(r->runs[2].complete && !r->runs[2].oversubscribed);
    ck_assert_uint_eq(r->nvertices, 10);
    ck_assert_uint_eq(r->vertices[4].nranks, 8);
    ck_assert_double_eq_tol(r->vertices[4].rank_s[4], 3.1, 1e-8);
    ck_assert_str_eq(r->causes[0].category, "imbalance");
    ck_assert_uint_eq(r->causes[0].ranks[0], 4);
    ck_assert_uint_eq(r->causes[0].npath, 5);
    ck_assert_str_eq(r->causes[0].path[1].via, "collective");
    ck_assert_uint_eq(r->causes[0].symptoms[1].vertex, 6);
    ck_assert_double_eq_tol(r->nonscalable[0].slope_ci[1], 0.09, 1e-12);
    ck_assert_uint_eq(r->nnotes, 1);
    sca_report_free(r);
}
END_TEST

/* The second call is reached along two call paths. */
START_TEST(waits_at_one_place_are_one_row)
{
    struct sca_report_vertex vertices[] = {
        {.kind = "mpi", .name = "MPI_Recv", .function = "f", .file = "a.c", .line = 7},
        {.kind = "mpi", .name = "MPI_Wait", .function = "g", .file = "a.c", .line = 9},
        {.kind = "mpi", .name = "MPI_Wait", .function = "g", .file = "a.c", .line = 9}};
    struct sca_report_wait waits[] = {{0, "late-sender", 4, 5, 5, 0},
                                      {1, "late-sender", 1, 3, 2, 1},
                                      {2, "late-sender", 2, 4, 0, 4},
                                      {2, "wrong-order", 1, 1, 1, 0}};
    struct sca_report report = {.nvertices = 3, .vertices = vertices, .nwaits = 4, .waits = waits};
    struct sca_report_wait rows[4];
    ck_assert_uint_eq(sca_report_waits_by_place(&report, rows, 4), 3);
    ck_assert_uint_eq(rows[0].vertex, 2); /* the one with more of it */
    ck_assert_double_eq_tol(rows[0].count, 3, 1e-12);
    ck_assert_double_eq_tol(rows[0].wait_core_s, 7, 1e-12);
    ck_assert_double_eq_tol(rows[0].direct_core_s, 2, 1e-12);
    ck_assert_double_eq_tol(rows[0].indirect_core_s, 5, 1e-12);
    ck_assert_uint_eq(rows[1].vertex, 0);
    ck_assert_str_eq(rows[2].wait_class, "wrong-order");
    ck_assert_uint_eq(sca_report_waits_by_place(&report, rows, 1), 1);
}
END_TEST

/* A line in a helper that three others call, one of them twice and one hardly waiting. */
START_TEST(a_row_of_waits_tells_who_calls)
{
    struct sca_report_vertex vertices[] = {
        {.kind = "root", .name = "main", .function = "main", .parent = 0},
        {.kind = "call", .name = "halo", .function = "main", .line = 20, .parent = 0},
        {.kind = "call", .name = "norm", .function = "main", .line = 30, .parent = 0},
        {.kind = "call", .name = "stop", .function = "main", .line = 40, .parent = 0},
        {.kind = "mpi", .name = "MPI_Wait", .function = "wait", .line = 9, .parent = 1},
        {.kind = "mpi", .name = "MPI_Wait", .function = "wait", .line = 9, .parent = 2},
        {.kind = "mpi", .name = "MPI_Wait", .function = "wait", .line = 9, .parent = 3},
        {.kind = "mpi", .name = "MPI_Wait", .function = "wait", .line = 9, .parent = 1}};
    for (unsigned i = 0; i < 8; i++)
        vertices[i].file = "a.c";
    struct sca_report_wait waits[] = {{4, "late-sender", 1, 2, 2, 0},
                                      {5, "late-sender", 1, 3, 3, 0},
                                      {6, "late-sender", 1, 0.1, 0.1, 0},
                                      {7, "late-sender", 1, 2, 2, 0}};
    struct sca_report report = {.nvertices = 8, .vertices = vertices, .nwaits = 4, .waits = waits};
    struct sca_report_symptom paths[4];
    struct sca_report_wait row;
    char text[SCA_PHRASE];
    ck_assert_uint_eq(sca_report_waits_by_place(&report, &row, 1), 1);
    ck_assert_uint_eq(sca_report_wait_paths(&report, &row, paths, 4), 2);
    ck_assert_double_eq_tol(paths[0].wait_core_s, 4, 1e-12);
    sca_phrase_calling_path(text, &report, paths[0].vertex, UINT32_MAX);
    ck_assert_str_eq(text, "main > halo (line 20)");
    sca_phrase_calling_path(text, &report, paths[1].vertex, 1);
    ck_assert_str_eq(text, "... > norm (line 30)");
    ck_assert_uint_eq(sca_report_wait_paths(&report, &row, paths, 1), 1);
}
END_TEST

/* main sorts with a function of its own, and has a thread. */
START_TEST(what_headers_of_the_system_call_is_left_out)
{
    const char *own = "a.cpp", *sort = "/usr/include/c++/12/bits/stl_algo.h";
    const char *thread = "/usr/include/c++/12/bits/std_thread.h";
    struct sca_report_vertex vertices[] = {
        {.kind = "root", .name = "a", .function = "main", .file = own, .line = 3, .parent = 0},
        {.kind = "call", .name = "std::sort", .file = own, .line = 12, .parent = 0},
        {.kind = "loop", .name = "", .file = sort, .line = 900, .parent = 1},
        {.kind = "call", .name = "less", .file = sort, .line = 901, .parent = 2},
        {.kind = "loop", .name = "", .file = own, .line = 40, .parent = 3},
        {.kind = "call", .name = "std::_M_run", .file = thread, .line = 210, .parent = 0},
        {.kind = "call", .name = "work", .file = thread, .line = 259, .parent = 5},
        {.kind = "call", .name = "newton", .file = own, .line = 30, .parent = 6},
        {.kind = "loop", .name = "", .file = own, .line = 50, .parent = 7}};
    struct sca_report report = {.nvertices = 9, .vertices = vertices};
    char text[SCA_PHRASE];
    sca_phrase_calling_path(text, &report, 4, UINT32_MAX);
    ck_assert_str_eq(text, "main > less (line 12)");
    sca_phrase_calling_path(text, &report, 8, UINT32_MAX);
    ck_assert_str_eq(text, "main > work > newton (line 30)");
    sca_phrase_calling_path(text, &report, 8, 1);
    ck_assert_str_eq(text, "... > newton (line 30)");
}
END_TEST

static char *whole_file(void)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

START_TEST(no_field_is_lost_between_writing_and_reading)
{
    struct sca_report *r = round_trip(sca_sample_cg("/src/cg.c"));
    char *first = strdup(whole_file());
    ck_assert(strstr(first, "\"share_ci\"") && strstr(first, "\"late-sender\""));
    sca_report_free(round_trip(r));
    ck_assert_str_eq(first, whole_file());
    free(first);
}
END_TEST

START_TEST(hosts_survive_the_file)
{
    uint32_t ranks[2][2] = {{0, 1}, {2, 3}};
    struct sca_report_host hosts[2] = {{"a", "10.0.0.1", 2, ranks[0]}, {"", "", 2, ranks[1]}};
    struct sca_report *r = sca_sample_healthy();
    r->runs[2].nhosts = 2;
    r->runs[2].hosts = hosts;
    r = round_trip(r);
    ck_assert_uint_eq(r->runs[0].nhosts, 0);
    ck_assert_uint_eq(r->runs[2].nhosts, 2);
    ck_assert_str_eq(r->runs[2].hosts[0].name, "a");
    ck_assert_str_eq(r->runs[2].hosts[0].address, "10.0.0.1");
    ck_assert_uint_eq(r->runs[2].hosts[1].nranks, 2);
    ck_assert_uint_eq(r->runs[2].hosts[1].ranks[1], 3);
    sca_report_free(r);
}
END_TEST

static struct sca_report_topology grid_of_4_by_2(void)
{
    static uint32_t dims[] = {4, 2};
    static bool periodic[] = {true, false};
    static int32_t places[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, -1, 0};
    return (struct sca_report_topology){"cart", 2, dims, periodic, 8, 2, places};
}

START_TEST(ranks_are_named_with_their_places)
{
    struct sca_report_run run = {.ranks = 8, .topology = grid_of_4_by_2()}, plain = {.ranks = 8};
    int32_t degrees[] = {3, 1, 0, 2};
    struct sca_report_run graph = {.ranks = 4, .topology = {"graph", 0, NULL, NULL, 4, 1, degrees}};
    uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7}, column[] = {1, 3, 5}, corners[] = {0, 6};
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_phrase_ranks(text, &run, all + 4, 1), "rank 4 (2,0)");
    ck_assert_str_eq(sca_phrase_ranks(text, &run, all + 4, 2), "ranks 4, 5 (2,*)");
    ck_assert_str_eq(sca_phrase_ranks(text, &run, corners, 2), "ranks 0 (0,0), 6 (3,0)");
    ck_assert_str_eq(sca_phrase_ranks(text, &run, column, 3), "ranks 1 (0,1), 3 (1,1), 5 (2,1)");
    ck_assert_str_eq(sca_phrase_ranks(text, &run, all, 5), "ranks 0-4");
    ck_assert_str_eq(sca_phrase_ranks(text, &run, all, 8), "all 8 ranks");
    ck_assert_str_eq(sca_phrase_ranks(text, &run, all + 7, 1), "rank 7"); /* not in it */
    ck_assert_str_eq(sca_phrase_ranks(text, &plain, all, 3), "ranks 0-2");
    ck_assert_str_eq(sca_phrase_ranks(text, &graph, all, 2),
                     "ranks 0 (3 neighbours), 1 (1 neighbour)");
    ck_assert_str_eq(sca_phrase_rank_place(text, &plain, 4), "");
}
END_TEST

START_TEST(a_host_has_no_rank_that_the_run_has_not)
{
    ck_assert_int_eq(read_text("{\"schema\":\"scalana-report/1\",\"program\":{},\"vertices\":[],"
                               "\"root_causes\":[],\"runs\":[{\"ranks\":2,\"hosts\":"
                               "[{\"name\":\"a\",\"ranks\":[2]}]}]}"),
                     SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "runs[0].hosts has a rank"));
}
END_TEST

START_TEST(what_a_cause_must_save_survives_the_file)
{
    struct sca_report *r = sca_sample_healthy();
    r->least_gain = (struct sca_report_least){true, 0.25, 3.5, 0.01, false, true};
    r->set_aside = true;
    r = round_trip(r);
    ck_assert(r->least_gain.known && r->least_gain.short_run && !r->least_gain.shared_cores);
    ck_assert_double_eq(r->least_gain.share, 0.25);
    ck_assert_double_eq(r->least_gain.core_s, 3.5);
    ck_assert_double_eq(r->least_gain.min_share, 0.01);
    ck_assert(r->set_aside);
    sca_report_free(r);
}
END_TEST

/* Of as many runs as the sample has: the same problem, told twice as large for each further run. */
START_TEST(work_that_is_told_survives_the_file)
{
    struct sca_report *r = sca_sample_healthy();
    char text[SCA_PHRASE];
    ck_assert(!sca_report_work_told(r) && !r->scaling_open);
    ck_assert_str_eq(sca_phrase_scaling(text, r), "strong scaling");
    r->scaling_open = true;
    r = round_trip(r);
    ck_assert(r->scaling_open && !sca_report_work_told(r));
    ck_assert_str_eq(sca_phrase_scaling(text, r), "scaling mode uncertain");
    for (uint32_t i = 0; i < r->nruns; i++)
        r->runs[i].work = 100.5 * (double)(1 << i);
    r = round_trip(r);
    ck_assert(sca_report_work_told(r));
    ck_assert_double_eq(r->runs[1].work, 201);
    ck_assert_int_eq(strncmp(sca_phrase_scaling(text, r), "work 100.5", 10), 0);
    ck_assert_double_eq(sca_report_ideal(r, 0), 1);
    ck_assert_double_eq_tol(sca_report_ideal(r, 1), 2.0 * r->runs[0].ranks / r->runs[1].ranks,
                            1e-9);
    sca_report_free(r);
}
END_TEST

START_TEST(a_report_without_a_cause_says_above_what)
{
    struct sca_report *r = sca_sample_healthy();
    char text[SCA_PHRASE];
    ck_assert(!sca_phrase_no_cause(text, r));
    ck_assert_str_eq(text,
                     "No cause of scaling loss found above 2 % of ranks x wall. On 8 ranks "
                     "parallel efficiency is 0.70 (load balance 0.75, communication 0.93). "
                     "That is low: mostly waiting, at healthy.c:44 MPI_Allreduce in conj_grad.");
    r->least_gain.short_run = true;
    r->least_gain.share = 0.25;
    r->runs[2].account.duration_s = 0.02;
    ck_assert_str_eq(sca_phrase_least_gain(text, r), "that would save 5 ms of the run's 20 ms");
    r->least_gain.share = 1;
    r->runs[2].account.duration_s = 0.004;
    ck_assert(!sca_phrase_no_cause(text, r));
    ck_assert_ptr_nonnull(strstr(text, "No cause of scaling loss found in a run of 4 ms, which is "
                                       "too short to identify one. On 8 ranks"));
    r->runs[2].complete = false; /* what did not end has no efficiency yet */
    ck_assert(!sca_phrase_no_cause(text, r));
    ck_assert_str_eq(text, "No cause of scaling loss found in what was recorded, which is too "
                           "short to identify one.");
    r->runs[2].complete = true;
    r->least_gain.known = false; /* as in older reports */
    r->efficiency[2].parallel = r->efficiency[2].computation = 0.9;
    ck_assert(sca_phrase_no_cause(text, r));
    ck_assert_ptr_nonnull(strstr(text, "No cause of scaling loss found. On 8 ranks"));
    r->runs[2].complete = false; /* what did not end is not said to be good */
    ck_assert(!sca_phrase_no_cause(text, r));
    r->nefficiency = r->nruns = 0;
    ck_assert(sca_phrase_no_cause(text, r));
    ck_assert_str_eq(text, "No cause of scaling loss found.");
    sca_report_free(r);
}
END_TEST

START_TEST(what_the_others_have_is_said_and_survives_the_file)
{
    struct sca_report *r = round_trip(sca_sample_cg("cg.c"));
    struct sca_report_cause *serial = &r->causes[2];
    char text[SCA_PHRASE];
    ck_assert_str_eq(serial->others, "none");
    ck_assert_str_eq(serial->saved_if, "alike");
    ck_assert_str_eq(sca_phrase_others(text, r, serial), "only on this rank");
    ck_assert_str_eq(sca_phrase_others(text, r, &r->causes[0]), "3.1x the other ranks");
    ck_assert_str_eq(sca_phrase_others(text, r, &r->causes[1]), "");
    serial->others = "some";
    ck_assert_str_eq(sca_phrase_others(text, r, serial), "on this rank and few others");
    serial->others = ""; /* as in older reports: worked out from the seconds */
    ck_assert_str_eq(sca_phrase_others(text, r, serial), "only on this rank");
    r->vertices[8].rank_s[3] = r->vertices[8].rank_s[0];
    ck_assert_str_eq(sca_phrase_others(text, r, serial), "on this rank and few others");
    serial->nranks = 2;
    ck_assert_str_eq(sca_phrase_others(text, r, serial), "serialised, one rank at a time");
    serial->others = "of a newer version";
    ck_assert_str_eq(sca_phrase_others(text, r, serial), "");
    sca_report_free(r);
}
END_TEST

START_TEST(a_counter_that_grows_survives_the_file)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    struct sca_report_cause *c = &r->causes[0];
    char text[SCA_PHRASE];
    c->counter = "PAPI_L2_TCM";
    c->counter_each = 80100;
    c->counter_fewest = 2;
    c->counter_fewest_each = 80000;
    c->counter_expected_each = 20000;
    r = round_trip(r);
    ck_assert_str_eq(sca_phrase_counter(text, &r->causes[0]),
                     "80.1 thousand PAPI_L2_TCM on each rank instead of 20 thousand, by 80 "
                     "thousand on each of 2");
    ck_assert_uint_eq(r->causes[0].counter_fewest, 2);
    sca_report_free(r);
}
END_TEST

START_TEST(the_counter_of_a_cause_survives_the_file)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    struct sca_report_cause *c = &r->causes[0];
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_phrase_counter(text, c), "");
    c->counter = "perf::PAGE-FAULTS";
    c->counter_each = 1.12e6;
    c->counter_others_each = 0;
    r = round_trip(r);
    c = &r->causes[0];
    const char *whom = c->nranks == 1 ? "this rank" : "each of these ranks";
    char expected[SCA_PHRASE];
    snprintf(expected, sizeof expected,
             "1.12 million perf::PAGE-FAULTS on %s, none on each other rank", whom);
    ck_assert_str_eq(sca_phrase_counter(text, c), expected);
    c->counter_others_each = 2100;
    ck_assert_ptr_nonnull(strstr(sca_phrase_counter(text, c), ", 2.1 thousand on each other"));
    r = round_trip(r);
    ck_assert_str_eq(r->causes[0].counter, "perf::PAGE-FAULTS");
    ck_assert_double_eq(r->causes[0].counter_others_each, 2100);
    ck_assert_str_eq(r->causes[1].counter, "");
    sca_report_free(r);
}
END_TEST

START_TEST(site_and_function_of_a_cause_survive_the_file)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    struct sca_report_cause *c = &r->causes[0];
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_phrase_inner(text, c), "");
    c->at_site = true;
    c->site = r->vertices[c->vertex].parent;
    c->inner_share = 0.75;
    c->inner_function = "flop";
    c->inner_file = "/src/work.h";
    c->inner_line = 4;
    c->inner_inlined = true;
    r = round_trip(r);
    c = &r->causes[0];
    ck_assert(c->at_site && c->inner_inlined && !c->inner_foreign);
    ck_assert_uint_eq(c->site, r->vertices[c->vertex].parent);
    ck_assert_double_eq(c->inner_share, 0.75);
    ck_assert_str_eq(sca_phrase_inner(text, c), "flop (work.h:4), inlined");
    ck_assert_ptr_nonnull(strstr(sca_phrase_between(text, r, c), "called at "));
    c->inner_foreign = true;
    ck_assert_str_eq(sca_phrase_inner(text, c), "flop, called at work.h:4");
    sca_report_free(r);
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_replaced)
{
    struct sca_report *r = round_trip(sca_sample_hostile());
    ck_assert_ptr_nonnull(strstr(r->vertices[4].name, "\xef\xbf\xbd\xef\xbf\xbd broken"));
    ck_assert_str_eq(r->vertices[6].name, "w\xc3\xa4rme_\xe6\xb8\xa9\xe5\xba\xa6");
    ck_assert_str_eq(r->vertices[7].name, "\x1b]0;title\x07MPI_Allreduce");
    sca_report_free(r);
}
END_TEST

START_TEST(an_unmeasured_number_reads_as_zero)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    r->loss_core_s = NAN;
    r->vertices[1].rank_s[0] = INFINITY;
    r = round_trip(r);
    ck_assert_double_eq(r->loss_core_s, 0);
    ck_assert_double_eq(r->vertices[1].rank_s[0], 0);
    sca_report_free(r);
}
END_TEST

START_TEST(a_failed_write_leaves_the_earlier_report)
{
    struct sca_report *r = sca_sample_healthy();
    ck_assert_int_eq(sca_report_write(r, path), SCA_OK);
    ck_assert_int_eq(sca_report_write(r, "/nowhere/at/all.json"), SCA_EIO);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "/nowhere/at/all.json"));
    ck_assert_int_eq(sca_report_write(r, directory), SCA_EIO);
    ck_assert_int_eq(sca_report_write(r, "/dev/full"), SCA_EIO);
    sca_report_free(r);
    ck_assert_int_eq(sca_report_read(path, &r), SCA_OK);
    sca_report_free(r);
}
END_TEST

START_TEST(a_device_or_link_stays_what_it_is)
{
    struct sca_report *r = sca_sample_healthy();
    char link[80];
    struct stat info;
    ck_assert_int_eq(sca_report_write(r, "/dev/null"), SCA_OK);
    ck_assert(!stat("/dev/null", &info) && S_ISCHR(info.st_mode));
    ck_assert_int_eq(sca_report_write(r, path), SCA_OK);
    snprintf(link, sizeof link, "%s/link", directory);
    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert_int_eq(sca_report_write(r, link), SCA_OK);
    ck_assert(!lstat(link, &info) && S_ISLNK(info.st_mode));
    unlink(link);
    sca_report_free(r);
}
END_TEST

#define MINIMAL(extra)                                                                             \
    "{\"schema\":\"scalana-report/1\",\"program\":{},\"runs\":[{\"ranks\":4}],"                    \
    "\"vertices\":[{},{\"parent\":0}]," extra "}"
#define CAUSES(list) MINIMAL("\"root_causes\":" list)

START_TEST(waits_of_one_line_along_several_paths_are_one_place)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    struct sca_report_symptom symptoms[] = {{7, 3}, {5, 2}, {6, 2.5}}, *places;
    struct sca_report_cause cause = {.nsymptoms = 3, .symptoms = symptoms};
    uint32_t n;
    r->vertices[5].line = r->vertices[6].line;
    r->vertices[5].name = r->vertices[6].name; /* MPI_Wait of cg.c:36 by another path */
    places = sca_report_cause_places(r, &cause, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert_double_eq(places[0].wait_core_s, 4.5);
    ck_assert_uint_eq(places[0].vertex, 5);
    ck_assert_uint_eq(places[1].vertex, 7);
    free(places);
    sca_report_free(r);
}
END_TEST

START_TEST(unknown_fields_are_ignored_and_missing_ones_default)
{
    ck_assert_int_eq(read_text(CAUSES("[]")), SCA_OK);
    ck_assert_int_eq(read_text(CAUSES("[{\"vertex\":1,\"news\":{\"a\":[1]}}]")), SCA_OK);
    ck_assert_int_eq(read_text(CAUSES("[],\"notes\":null,\"later\":7")), SCA_OK);
}
END_TEST

static const char *const damaged[] = {
    "",
    " ",
    "\n\n",
    "hello",
    "[]",
    "{}",
    "7",
    "null",
    "{\"schema\":1}",
    "{\"schema\":\"scalana-report/\"}",
    "{\"schema\":\"scalana-report/x\"}",
    "{\"schema\":\"scalana-report/0\"}",
    "{\"schema\":\"other/1\"}",
    "{\"schema\":\"scalana-report/1\"}",
    MINIMAL("\"x\":1"),
    CAUSES("{}"),
    CAUSES("[7]"),
    CAUSES("[{}]"),
    CAUSES("[{\"vertex\":2}]"),
    CAUSES("[{\"vertex\":-1}]"),
    CAUSES("[{\"vertex\":0.5}]"),
    CAUSES("[{\"vertex\":1e300}]"),
    CAUSES("[{\"vertex\":\"1\"}]"),
    CAUSES("[{\"vertex\":1,\"ranks\":[4]}]"),
    CAUSES("[{\"vertex\":1,\"ranks\":[\"a\"]}]"),
    CAUSES("[{\"vertex\":1,\"category\":[]}]"),
    CAUSES("[{\"vertex\":1,\"cost_core_s\":1e999}]"),
    CAUSES("[{\"vertex\":1,\"path\":[{\"vertex\":0}]}]"),
    CAUSES("[{\"vertex\":1,\"path\":[{\"vertex\":9,\"rank\":0}]}]"),
    CAUSES("[{\"vertex\":1,\"symptoms\":[{\"vertex\":9}]}]"),
    CAUSES("[],\"notes\":[1]"),
    CAUSES("[],\"vertices\":[]}{"),
    CAUSES("[],\"nonscalable\":[{}]"),
    CAUSES("[],\"abnormal\":[{\"vertex\":5}]"),
    CAUSES("[]") "x",
    "{\"schema\":\"scalana-report/1\",\"program\":{},\"runs\":[],\"root_causes\":[],"
    "\"vertices\":[{\"parent\":1},{\"parent\":0}]}",
    "{\"schema\":\"scalana-report/1\",\"program\":{},\"runs\":[],\"root_causes\":[],"
    "\"vertices\":[{\"parent\":1}]}",
    "{\"schema\":\"scalana-report/1\",\"program\":{},\"runs\":[],\"root_causes\":[],"
    "\"vertices\":[{\"id\":1}]}",
    "{\"schema\":\"scalana-report/1\",\"program\":{},\"runs\":[],\"root_causes\":[],"
    "\"vertices\":[{\"run_s\":[1]}]}",
};

START_TEST(damage_is_an_error_that_names_the_file)
{
    ck_assert_msg(read_text(damaged[_i]) == SCA_EFORMAT, "%s", damaged[_i]);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), path));
}
END_TEST

START_TEST(a_fault_names_its_field)
{
    read_text(CAUSES("[{\"vertex\":1},{\"vertex\":1,\"path\":[{\"vertex\":9,\"rank\":0}]}]"));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "root_causes[1].path[0].vertex"));
}
END_TEST

START_TEST(a_newer_schema_is_told_apart)
{
    ck_assert_int_eq(read_text("{\"schema\":\"scalana-report/2\"}"), SCA_EVERSION);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "newer"));
}
END_TEST

START_TEST(files_that_cannot_be_read_say_so)
{
    struct sca_report *r;
    ck_assert_int_eq(sca_report_read("/nowhere/r.json", &r), SCA_ENOTFOUND);
    ck_assert_int_eq(sca_report_read("/tmp", &r), SCA_EIO);
    ck_assert_int_eq(sca_report_read("/dev/null", &r), SCA_EFORMAT);
    ck_assert_int_eq(sca_report_read("/dev/zero", &r), SCA_EFORMAT);
    ck_assert_ptr_null(r);
}
END_TEST

static void enter(void)
{
    strcpy(directory + sizeof directory - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/report.json", directory);
}

static void leave(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(directory), 0); /* no temporary is left behind */
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *tcase = tcase_create("report");
    tcase_add_checked_fixture(tcase, enter, leave);
    tcase_add_test(tcase, waits_at_one_place_are_one_row);
    tcase_add_test(tcase, a_row_of_waits_tells_who_calls);
    tcase_add_test(tcase, what_headers_of_the_system_call_is_left_out);
    tcase_add_test(tcase, a_report_survives_the_file);
    tcase_add_test(tcase, no_field_is_lost_between_writing_and_reading);
    tcase_add_test(tcase, hosts_survive_the_file);
    tcase_add_test(tcase, ranks_are_named_with_their_places);
    tcase_add_test(tcase, a_host_has_no_rank_that_the_run_has_not);
    tcase_add_test(tcase, what_a_cause_must_save_survives_the_file);
    tcase_add_test(tcase, work_that_is_told_survives_the_file);
    tcase_add_test(tcase, a_report_without_a_cause_says_above_what);
    tcase_add_test(tcase, what_the_others_have_is_said_and_survives_the_file);
    tcase_add_test(tcase, a_counter_that_grows_survives_the_file);
    tcase_add_test(tcase, the_counter_of_a_cause_survives_the_file);
    tcase_add_test(tcase, site_and_function_of_a_cause_survive_the_file);
    tcase_add_test(tcase, bytes_that_are_not_utf8_are_replaced);
    tcase_add_test(tcase, an_unmeasured_number_reads_as_zero);
    tcase_add_test(tcase, a_failed_write_leaves_the_earlier_report);
    tcase_add_test(tcase, a_device_or_link_stays_what_it_is);
    tcase_add_test(tcase, waits_of_one_line_along_several_paths_are_one_place);
    tcase_add_test(tcase, unknown_fields_are_ignored_and_missing_ones_default);
    tcase_add_loop_test(tcase, damage_is_an_error_that_names_the_file, 0,
                        sizeof damaged / sizeof *damaged);
    tcase_add_test(tcase, a_fault_names_its_field);
    tcase_add_test(tcase, a_newer_schema_is_told_apart);
    tcase_add_test(tcase, files_that_cannot_be_read_say_so);
    suite_add_tcase(suite, tcase);
    return suite;
}
