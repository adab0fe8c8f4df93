/* Where ranks were bound: as the runtime tells it, in the order of the hardware, as a topology. */
#include "topology/system.h"
#include "check_main.h"

#include <string.h>

enum { MOST = 8 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_system hardware;
static struct sca_rank ranks[MOST];

/* cores[i]: that of rank i, NULL: it left nothing; node by node. */
static void make(uint32_t n, const char *const *cores, const uint32_t *nodes)
{
    const struct sca_profile profile = {.nranks = n, .ranks = ranks};
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    for (uint32_t i = 0; i < n; i++)
        ranks[i] = (struct sca_rank){.present = cores[i], .cores = cores[i], .node = nodes[i]};
    sca_system_make(&space, &profile, &hardware);
}

static void finish(void)
{
    sca_workspace_free(&space);
}

static const struct {
    const char *text;
    int32_t package, core;
} bindings[] = {
    {"0:3", 0, 3},   {"1:0-3", 1, -1}, {"1:0,8", 1, -1},    {"0:0 1:0", -1, -1},
    {"all", -1, -1}, {"", -1, -1},     {NULL, -1, -1},      {"nonsense", -1, -1},
    {"0:", 0, -1},   {"-1:3", -1, -1}, {"12:345", 12, 345},
};

START_TEST(a_binding_is_read)
{
    struct sca_location at;
    sca_system_read_binding(bindings[_i].text, &at);
    ck_assert_int_eq(at.package, bindings[_i].package);
    ck_assert_int_eq(at.core, bindings[_i].core);
    ck_assert_str_eq(at.cores, bindings[_i].text ? bindings[_i].text : "");
}
END_TEST

/* Two hosts, whose ranks are dealt out in turns; the kernel's core numbers have gaps. */
START_TEST(bound_ranks_have_a_place_on_a_core)
{
    static const char *const cores[] = {"1:8", "0:0", "0:0", "0:2", "0:2", "1:8"};
    static const uint32_t nodes[] = {0, 4, 0, 4, 0, 0}, expected[] = {2, 4, 0, 5, 1, 3};
    static const int32_t places[6][4] = {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0},
                                         {1, 0, 1, 0}, {0, 0, 1, 0}, {0, 1, 0, 1}};
    uint32_t order[MOST];
    struct sca_topology t;
    make(6, cores, nodes);
    ck_assert_uint_eq(hardware.nhosts, 2);
    ck_assert_uint_eq(hardware.bound, 6);
    ck_assert_uint_eq(sca_system_order(&space, &hardware, order), 6);
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(order[i], expected[i]);
    sca_system_topology(&space, &hardware, &t);
    ck_assert_uint_eq(t.ndims, 4);
    ck_assert_uint_eq(t.dims[0] * t.dims[1] * t.dims[2] * t.dims[3], 2 * 2 * 2 * 2);
    for (uint32_t r = 0; r < 6; r++)
        ck_assert_int_eq(memcmp(sca_topology_place(&t, r), places[r], sizeof places[r]), 0);
    finish();
}
END_TEST

START_TEST(others_are_counted_on_their_host)
{
    static const char *const cores[] = {"all", "0:0-1", NULL, "all", ""};
    static const uint32_t nodes[] = {0, 0, 0, 1, 1};
    struct sca_topology t;
    make(5, cores, nodes);
    ck_assert_uint_eq(hardware.unbound, 2);
    ck_assert_uint_eq(hardware.unknown, 1);
    ck_assert_uint_eq(hardware.locations[2].host, SCA_NONE);
    sca_system_topology(&space, &hardware, &t);
    ck_assert_uint_eq(t.ndims, 2);
    ck_assert_uint_eq(t.members, 4);
    ck_assert_ptr_null(sca_topology_place(&t, 2));
    ck_assert_int_eq(sca_topology_place(&t, 1)[1], 0); /* a package comes before none */
    ck_assert_int_eq(sca_topology_place(&t, 0)[1], 1);
    ck_assert_int_eq(sca_topology_place(&t, 4)[0], 1);
    finish();
}
END_TEST

Suite *test_suite(void)
{
    Suite *s = suite_create("system");
    TCase *cases = tcase_create("all");
    tcase_add_loop_test(cases, a_binding_is_read, 0, sizeof bindings / sizeof *bindings);
    tcase_add_test(cases, bound_ranks_have_a_place_on_a_core);
    tcase_add_test(cases, others_are_counted_on_their_host);
    suite_add_tcase(s, cases);
    return s;
}
