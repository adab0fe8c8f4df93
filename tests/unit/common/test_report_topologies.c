/* Topologies of a report: their way through the file, and what is none. */
#include "sample_report.h"
#include "sca_part.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/sca-topologies-XXXXXX";

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
    sca_report_free(report);
    return status;
}

static struct sca_report_topology grid_of_4_by_2(void)
{
    static uint32_t dims[] = {4, 2};
    static bool periodic[] = {true, false};
    static int32_t places[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, -1, 0};
    return (struct sca_report_topology){"cart", 2, dims, periodic, 8, 2, places};
}

/* Several worlds that are one run: ranks are named by them. */
START_TEST(worlds_survive_the_file)
{
    int32_t places[] = {1, 0, 1, 1, 1, 2, 1, 3, 2, 0, 2, 1, 2, 2, 2, 3};
    struct sca_report_world worlds[2] = {{"masters", 0, 4}, {"workers", 4, 4}};
    char text[SCA_PHRASE];
    struct sca_report *r = sca_sample_healthy();
    r->runs[2].ranks = 8;
    r->runs[2].account.other_world_core_s = 2.5;
    r->runs[2].nworlds = 2;
    r->runs[2].worlds = worlds;
    r->runs[2].topology =
        (struct sca_report_topology){.kind = "worlds", .nranks = 8, .width = 2, .places = places};
    r = round_trip(r);
    ck_assert_uint_eq(r->runs[0].nworlds, 0);
    ck_assert_uint_eq(r->runs[2].nworlds, 2);
    ck_assert_str_eq(r->runs[2].worlds[1].dir, "workers");
    ck_assert_uint_eq(r->runs[2].worlds[1].first, 4);
    ck_assert_uint_eq(r->runs[2].worlds[1].ranks, 4);
    ck_assert_double_eq_tol(r->runs[2].account.other_world_core_s, 2.5, 1e-9);
    sca_phrase_ranks(text, &r->runs[2], (uint32_t[]){4}, 1);
    ck_assert_str_eq(text, "rank 4 (0 of world 2)");
    sca_report_free(r);
}
END_TEST

START_TEST(what_is_measured_is_charged_to_nobody)
{
    const struct sca_report_wait wait = {.wait_class = "other-world", .wait_core_s = 1};
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_phrase_wait_direct(text, &wait), "     measured");
}
END_TEST

START_TEST(a_topology_survives_the_file)
{
    struct sca_report *r = sca_sample_healthy();
    r->runs[2].ranks = 8;
    r->runs[2].topology = grid_of_4_by_2();
    r = round_trip(r);
    const struct sca_report_topology *t = &r->runs[2].topology;
    ck_assert_str_eq(r->runs[0].topology.kind, "");
    ck_assert_str_eq(t->kind, "cart");
    ck_assert_uint_eq(t->ndims, 2);
    ck_assert_uint_eq(t->dims[0], 4);
    ck_assert(t->periodic[0] && !t->periodic[1]);
    ck_assert_uint_eq(t->nranks, 8);
    ck_assert_int_eq(t->places[2 * 5], 2);
    ck_assert_int_eq(t->places[2 * 5 + 1], 1);
    ck_assert_int_eq(t->places[2 * 7], -1);
    sca_report_free(r);
}
END_TEST

static const char *const no_topologies[] = {
    "{\"kind\":\"cart\",\"dims\":[2],\"places\":[[0]]}",       /* of two ranks */
    "{\"kind\":\"cart\",\"dims\":[2],\"places\":[[0],[2]]}",   /* outside */
    "{\"kind\":\"cart\",\"dims\":[2],\"places\":[[0],[1,1]]}", /* more than dimensions */
    "{\"kind\":\"cart\",\"dims\":[2],\"places\":[[0],[-1]]}",  /* negative */
    "{\"kind\":\"cart\",\"dims\":[0],\"places\":[[0],[0]]}",   /* no size */
    "{\"kind\":\"dist_graph\",\"places\":[[1,2],[1]]}",        /* in, and out? */
    "{\"kind\":\"cart\",\"dims\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1],"
    "\"places\":[]}",
};

START_TEST(a_topology_that_is_none_is_refused)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"schema\":\"scalana-report/1\",\"program\":{},\"vertices\":[],\"root_causes\":[],"
             "\"runs\":[{\"ranks\":2,\"topology\":%s}]}",
             no_topologies[_i]);
    ck_assert_int_eq(read_text(text), SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "runs[0].topology."));
}
END_TEST

/* One is counted, of the other two ranks are not members. */
START_TEST(topologies_survive_the_file)
{
    static uint32_t dims[] = {4, 2};
    static bool periodic[] = {true, false};
    static const char *names[] = {"x", "y"}, *none[] = {"", ""};
    static int32_t counted[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, 3, 1};
    static int32_t odd[] = {3, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, -1, 0, -1, 0};
    struct sca_topology two[] = {{"grid", "cartesian", 2, dims, periodic, names, 8, 8, counted},
                                 {"other", "file", 2, dims, periodic, none, 8, 6, odd}};
    struct sca_report *r = sca_sample_healthy();
    r->runs[r->nruns - 1].ranks = 8;
    r->topologies = two;
    r->ntopologies = 2;
    r->topologies_left_out = 3;
    r = round_trip(r);
    ck_assert_uint_eq(r->ntopologies, 2);
    ck_assert_uint_eq(r->topologies_left_out, 3);
    for (int i = 0; i < 2; i++) {
        const struct sca_topology *t = &r->topologies[i];
        ck_assert_str_eq(t->name, two[i].name);
        ck_assert_str_eq(t->kind, two[i].kind);
        ck_assert_str_eq(t->dimension_names[1], two[i].dimension_names[1]);
        ck_assert_uint_eq(t->dims[0], 4);
        ck_assert(t->periodic[0] && !t->periodic[1]);
        ck_assert_uint_eq(t->members, two[i].members);
        ck_assert_int_eq(sca_topology_is_row_major(t), i == 0);
        for (uint32_t k = 0; k < 2 * t->members; k++)
            ck_assert_int_eq(t->coordinates[k], two[i].coordinates[k]);
        ck_assert(!sca_topology_place(t, 7) == (i == 1));
    }
    sca_report_free(r);
}
END_TEST

START_TEST(locations_survive_the_file)
{
    static uint32_t ranks[] = {0, 1, 2, 3};
    static struct sca_report_host host = {"a", "", 4, ranks};
    struct sca_location four[] = {
        {0, 1, 8, "1:8"}, {0, 0, -1, "0:0-3"}, {0, -1, -1, "all"}, {SCA_NONE, -1, -1, ""}};
    double seconds[] = {1, 0.5, 2, 0, 3, 0.25, 0, 0};
    uint32_t dims[] = {4, 2};
    bool periodic[] = {false, false};
    const char *names[] = {"rank", "thread"};
    int32_t places[16];
    struct sca_topology teams = {"threads", "threads", 2, dims, periodic, names, 8, 0, places};
    struct sca_report *r = sca_sample_healthy();
    struct sca_report_run *run = &r->runs[r->nruns - 1];
    r->nmetrics = 0;
    r->communication.nblocks = r->behaviour.nclasses = 0;
    run->ranks = 4;
    run->nhosts = 1;
    run->hosts = &host;
    r->nlocations = 4;
    r->locations = four;
    r->nthreads = 2;
    r->thread_s = seconds;
    sca_topology_count_off(&teams);
    r->topologies = &teams;
    r->ntopologies = 1;
    r = round_trip(r);
    ck_assert_uint_eq(r->nlocations, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(r->locations[i].host, four[i].host);
        ck_assert_int_eq(r->locations[i].package, four[i].package);
        ck_assert_int_eq(r->locations[i].core, four[i].core);
        ck_assert_str_eq(r->locations[i].cores, four[i].cores);
    }
    ck_assert_uint_eq(r->nthreads, 2);
    for (int i = 0; i < 8; i++)
        ck_assert_double_eq(r->thread_s[i], seconds[i]);
    ck_assert_uint_eq(r->topologies[0].nranks, 8);
    ck_assert_int_eq(sca_topology_place(&r->topologies[0], 5)[0], 2);
    ck_assert_int_eq(sca_topology_place(&r->topologies[0], 5)[1], 1);
    sca_report_free(r);
}
END_TEST

static const char *const bad_locations[] = {
    "[{\"rank\":0}]",                             /* of two ranks */
    "[{\"rank\":1},{\"rank\":0}]",                /* in disorder */
    "[{\"rank\":0,\"host\":1},{\"rank\":1}]",     /* no such host */
    "[{\"rank\":0,\"core\":\"x\"},{\"rank\":1}]", /* no number */
    "[0,1]",
    "[{\"threads\":[1,2]},{\"threads\":[1]}]",
};

START_TEST(locations_that_are_none_are_refused)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"schema\":\"scalana-report/1\",\"program\":{},\"vertices\":[],\"root_causes\":[],"
             "\"runs\":[{\"ranks\":2,\"hosts\":[{\"ranks\":[0,1]}]}],\"locations\":%s}",
             bad_locations[_i]);
    ck_assert_int_eq(read_text(text), SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "locations"));
}
END_TEST

/* Of many ranks what can be counted is not listed. */
START_TEST(a_large_grid_is_counted)
{
    enum { RANKS = 65536 };
    uint32_t dims[] = {256, 256};
    bool periodic[] = {false, false};
    const char *names[] = {"", ""};
    int32_t *places = calloc(2 * RANKS, sizeof *places);
    struct sca_topology grid = {"g", "cartesian", 2, dims, periodic, names, RANKS, 0, places};
    struct sca_report *r = sca_sample_healthy();
    r->runs[r->nruns - 1].ranks = RANKS;
    r->nmetrics = 0;
    sca_topology_count_off(&grid);
    r->topologies = &grid;
    r->ntopologies = 1;
    r = round_trip(r);
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_lt(st.st_size, 100000);
    ck_assert_uint_eq(r->topologies[0].members, RANKS);
    ck_assert_int_eq(memcmp(r->topologies[0].coordinates, places, 2 * RANKS * sizeof *places), 0);
    free(places);
    sca_report_free(r);
}
END_TEST

static const char *const bad_topologies[] = {
    "{\"dims\":[2],\"coordinates\":[[0]]}",       /* of two ranks */
    "{\"dims\":[2],\"coordinates\":[[0],[2]]}",   /* outside */
    "{\"dims\":[2],\"coordinates\":[[0],[1,1]]}", /* more than dimensions */
    "{\"dims\":[2],\"coordinates\":[[0],[-1]]}",  /* negative */
    "{\"dims\":[0],\"coordinates\":[[0],[0]]}",   /* no size */
    "{\"dims\":[],\"coordinates\":[[],[]]}",      /* no dimension */
    "{\"coordinates\":[[0],[1]]}",
    "{\"dims\":[2]}",
    "{\"dims\":[3],\"row_major\":true}",
    "{\"kind\":\"threads\",\"dims\":[3,2],\"row_major\":true}",
    "{\"kind\":\"threads\",\"dims\":[2],\"row_major\":true}",
    "{\"dims\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2],\"row_major\":"
    "true}",
};

START_TEST(topologies_that_are_none_are_refused)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"schema\":\"scalana-report/1\",\"program\":{},\"vertices\":[],\"root_causes\":[],"
             "\"runs\":[{\"ranks\":2}],\"topologies\":[%s]}",
             bad_topologies[_i]);
    ck_assert_int_eq(read_text(text), SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "topologies[0]."));
}
END_TEST

static void enter(void)
{
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void leave(void)
{
    unlink(path);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("topologies of a report");
    TCase *tcase = tcase_create("topologies");
    tcase_add_checked_fixture(tcase, enter, leave);
    tcase_add_test(tcase, a_topology_survives_the_file);
    tcase_add_test(tcase, worlds_survive_the_file);
    tcase_add_test(tcase, what_is_measured_is_charged_to_nobody);
    tcase_add_loop_test(tcase, a_topology_that_is_none_is_refused, 0,
                        sizeof no_topologies / sizeof *no_topologies);
    tcase_add_test(tcase, topologies_survive_the_file);
    tcase_add_test(tcase, locations_survive_the_file);
    tcase_add_loop_test(tcase, locations_that_are_none_are_refused, 0,
                        sizeof bad_locations / sizeof *bad_locations);
    tcase_add_test(tcase, a_large_grid_is_counted);
    tcase_add_loop_test(tcase, topologies_that_are_none_are_refused, 0,
                        sizeof bad_topologies / sizeof *bad_topologies);
    suite_add_tcase(suite, tcase);
    return suite;
}
