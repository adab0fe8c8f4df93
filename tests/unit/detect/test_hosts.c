#include "report/hosts.h"
#include "report/topologies.h"
#include "text/lines.h"
#include "check_main.h"
#include "sca_phrase.h"

#include <stdlib.h>
#include <string.h>

static uint32_t low[2] = {0, 1}, high[2] = {2, 3}, mixed[2] = {1, 2}, last[1] = {3};

static struct sca_report_host hosts[2] = {{"a", "10.0.0.1", 2, low}, {"b", "10.0.0.2", 2, high}};
static struct sca_report_host alike[2] = {{"x", "10.0.0.1", 2, low}, {"x", "10.0.0.2", 2, high}};
static const struct sca_report_run two = {.ranks = 4, .nhosts = 2, .hosts = hosts};
static const struct sca_report_run same = {.ranks = 4, .nhosts = 2, .hosts = alike};
static const struct sca_report_run one = {.ranks = 2, .nhosts = 1, .hosts = hosts};

static char text[SCA_PHRASE];

START_TEST(a_run_is_described_by_its_hosts)
{
    ck_assert_str_eq(sca_hosts_phrase(text, &two),
                     "4 ranks on 2 hosts: a (10.0.0.1) 0, 1; b (10.0.0.2) 2, 3");
    ck_assert_str_eq(sca_hosts_phrase(text, &one), "");
}
END_TEST

START_TEST(the_host_of_a_cause_is_named_where_it_has_one)
{
    ck_assert_str_eq(sca_hosts_phrase_of_rank(text, &two, high, 2), " (all of b)");
    ck_assert_str_eq(sca_hosts_phrase_of_rank(text, &two, last, 1), " (on b)");
    ck_assert_str_eq(sca_hosts_phrase_of_rank(text, &two, mixed, 2), "");
    ck_assert_str_eq(sca_hosts_phrase_of_rank(text, &one, low, 1), "");
    ck_assert_str_eq(sca_hosts_phrase_of_rank(text, &same, last, 1), " (on x (10.0.0.2))");
}
END_TEST

START_TEST(many_hosts_do_not_fill_a_report)
{
    enum { MANY = 1000 };
    struct sca_report_host *many = calloc(MANY, sizeof *many);
    struct sca_report_run run = {.ranks = MANY, .nhosts = MANY, .hosts = many};
    for (int i = 0; i < MANY; i++)
        many[i] = (struct sca_report_host){"a-rather-long-name.of.a.large.cluster.example",
                                           "100.100.100.100", 1, last};
    sca_hosts_phrase(text, &run);
    ck_assert_uint_lt(strlen(text), 600);
    ck_assert_str_eq(text + strlen(text) - 5, "; ...");
    free(many);
}
END_TEST

/* A run of three ranks with two communicators each, whose topologies the runtime wrote so. */
static struct sca_report *report_of(const char *words[3][2])
{
    static uint32_t comms[2] = {0, 1};
    struct sca_rank ranks[3] = {{0}};
    struct sca_profile profile = {.nranks = 3, .ncomms = 2, .ranks = ranks};
    struct sca_ppg_run run = {.profile = &profile};
    struct sca_ppg ppg = {.nruns = 1, .runs = &run};
    struct sca_workspace space = {0};
    jmp_buf out_of_memory;
    struct sca_analysis c = {.ppg = &ppg, .space = &space, .report = sca_report_new()};
    for (int i = 0; i < 3; i++)
        ranks[i] =
            (struct sca_rank){.present = true, .ncomms = 2, .comms = comms, .topologies = words[i]};
    space.out_of_memory = &out_of_memory;
    ck_assert(!setjmp(out_of_memory));
    c.report->runs = sca_report_alloc(c.report, sizeof *c.report->runs);
    sca_topologies_fill(&c, 0);
    sca_workspace_free(&space);
    return c.report;
}

/* Those of a rank that make no sense are left out. */
START_TEST(the_topology_of_most_ranks_is_reported)
{
    const char *words[][2] = {{"cart 2,1 periodic 1,0 at 1,0", "cart 1 periodic 0 at 0"},
                              {"cart 2,1 periodic 1,0 at 0,0", ""},
                              {"graph degree 3", "cart 2 periodic 1 at"}};
    struct sca_report *report = report_of(words);
    const struct sca_report_topology *t = &report->runs[0].topology;
    ck_assert_str_eq(t->kind, "cart");
    ck_assert_uint_eq(t->ndims, 2);
    ck_assert_uint_eq(t->dims[0], 2);
    ck_assert(t->periodic[0] && !t->periodic[1]);
    ck_assert_int_eq(t->places[0], 1);
    ck_assert_int_eq(t->places[2], 0);
    ck_assert_int_eq(t->places[4], -1); /* a graph, says rank 2 */
    sca_report_free(report);
}
END_TEST

START_TEST(as_many_neighbours_everywhere_are_not_worth_a_word)
{
    const char *ring[][2] = {{"dist_graph in 2 out 2", ""},
                             {"dist_graph in 2 out 2", ""},
                             {"dist_graph in 2 out 2", ""}};
    struct sca_report *report = report_of(ring);
    ck_assert_uint_eq(report->runs[0].topology.nranks, 0);
    sca_report_free(report);
    ring[2][0] = "dist_graph in 2 out 1";
    report = report_of(ring);
    ck_assert_str_eq(report->runs[0].topology.kind, "dist_graph");
    ck_assert_uint_eq(report->runs[0].topology.nranks, 3);
    sca_report_free(report);
}
END_TEST

SCA_SUITE("hosts", a_run_is_described_by_its_hosts, the_host_of_a_cause_is_named_where_it_has_one,
          many_hosts_do_not_fill_a_report, the_topology_of_most_ranks_is_reported,
          as_many_neighbours_everywhere_are_not_worth_a_word)
