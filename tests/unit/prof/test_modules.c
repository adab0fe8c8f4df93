/* Modules come and go: call paths name the right one, whatever lay at the address before. */
#include "arena/arena.h"
#include "unwind/callpath.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "sampling/sampler.h"
#include "base/settings.h"
#include "check_main.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

typedef long entry_function(long (*)(void));
typedef void spin_function(long);

static long node_here(void)
{
    uint64_t *note;
    uint32_t node = sca_callpath_call(__builtin_return_address(0), __builtin_dwarf_cfa(), &note);
    __asm__ volatile("" : "+r"(node));
    return node;
}

static const char *path_of_node(uint32_t node, uint64_t *offset)
{
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    const struct sca_part_module *modules = sca_arena_table(SCA_T_MODULES);
    const char *strings = sca_arena_table(SCA_T_STRINGS);
    ck_assert_uint_ne(node, SCA_NONE);
    ck_assert_uint_ne(nodes[node].module, SCA_NONE);
    *offset = nodes[node].offset;
    return strings + modules[nodes[node].module].path;
}

static void open_paths(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_clock_init();
    ck_assert_int_eq(sca_callpath_init(), 0);
}

/* Loads, calls, checks the node, unloads. Returns the node and where the library lay. */
static uint32_t visit(const char *path, uint64_t *base)
{
    void *library = dlopen(path, RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
    entry_function *entry;
    *(void **)&entry = dlsym(library, "plugin_entry");
    struct link_map *map;
    ck_assert_int_eq(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
    *base = map->l_addr;
    uint64_t offset, start = (uintptr_t)entry - map->l_addr;
    uint32_t node = (uint32_t)entry(node_here);
    ck_assert_str_eq(path_of_node(node, &offset), path);
    ck_assert_uint_gt(offset, start);
    ck_assert_uint_lt(offset, start + 64);
    ck_assert_int_eq(dlclose(library), 0);
    return node;
}

START_TEST(another_module_at_the_same_address)
{
    uint64_t base[2];
    unsigned shared = 0;
    open_paths();
    uint32_t node[2] = {0, 0};
    for (volatile int i = 0; i < 100; i++) {
        uint32_t now = visit(i % 2 ? PLUGIN_TWO : PLUGIN_ONE, &base[i % 2]);
        ck_assert(i < 2 || now == node[i % 2]);
        node[i % 2] = now;
        shared += i % 2 && base[0] == base[1];
    }
    ck_assert_uint_ne(node[0], node[1]);
    ck_assert_uint_gt(shared, 0); /* else this showed nothing */
    ck_assert_uint_le(sca_arena_count(SCA_T_MODULES), 5);
}
END_TEST

START_TEST(records_name_file_and_build_id)
{
    uint64_t base, offset;
    open_paths();
    uint32_t node = visit(PLUGIN_ONE, &base);
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    const struct sca_part_module *modules = sca_arena_table(SCA_T_MODULES);
    ck_assert_str_eq(path_of_node(node, &offset), PLUGIN_ONE);
    ck_assert_uint_eq(modules[nodes[node].module].bias, base);
    ck_assert_uint_eq(modules[nodes[node].module].build_id_size, 20);
}
END_TEST

static volatile int done;

/* The calls of an application's other thread, while modules come and go. */
static void *keep_calling(void *unused)
{
    while (!done)
        node_here();
    return unused;
}

START_TEST(loading_in_a_loop_under_fast_sampling)
{
    pthread_t thread;
    open_paths();
    sca_settings.frequency = 5000;
    sca_settings.budget = 100;
    sca_settings.events = "";
    sca_recording = true;
    sca_sampler_start();
    ck_assert_int_eq(pthread_create(&thread, NULL, keep_calling, NULL), 0);
    for (int i = 0; i < 400; i++) {
        void *library = dlopen(i % 2 ? PLUGIN_ONE : PLUGIN_TWO, RTLD_NOW);
        spin_function *spin;
        *(void **)&spin = dlsym(library, "plugin_spin");
        spin(100000);
        dlclose(library);
    }
    done = 1;
    pthread_join(thread, NULL);
    sca_sampler_stop();
    ck_assert_uint_gt(sca_arena_header()->samples, 50);
    ck_assert_uint_lt(sca_callpath_truncated() * 10, sca_arena_header()->samples + 10);
    ck_assert_uint_le(sca_arena_count(SCA_T_MODULES), 8);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("modules");
    TCase *tests = tcase_create("modules");
    tcase_add_test(tests, another_module_at_the_same_address);
    tcase_add_test(tests, records_name_file_and_build_id);
    tcase_add_test(tests, loading_in_a_loop_under_fast_sampling);
    suite_add_tcase(suite, tests);
    return suite;
}
