/* Frames of every address of small programs, against llvm-symbolizer's. */
#include "symbols/attribution.h"
#include "symbols/code.h"
#include "sca_binary.h"
#include "sca_error.h"
#include "check_main.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FRAMES = 64 };

struct expected {
    char name[512];
    char file[512];
    unsigned line;
};

struct text { /* the section of machine code */
    uint64_t first, last;
};

static struct text find_text(struct sca_binary *binary)
{
    struct text text = {0, 0};
    size_t names;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    ck_assert_int_eq(elf_getshdrstrndx(binary->elf, &names), 0);
    while ((section = elf_nextscn(binary->elf, section)))
        if (gelf_getshdr(section, &header) &&
            !strcmp(elf_strptr(binary->elf, names, header.sh_name), ".text"))
            text = (struct text){header.sh_addr, header.sh_addr + header.sh_size};
    return text;
}

/* Writes the addresses to a file and has the symbolizer read it. */
static FILE *symbolize(const char *program, struct text text, unsigned step)
{
    char list[] = "/tmp/scalana-addresses-XXXXXX", command[4096];
    int file = mkstemp(list);
    FILE *out = fdopen(file, "w");
    for (uint64_t a = text.first; a < text.last; a += step)
        fprintf(out, "0x%llx\n", (unsigned long long)a);
    fclose(out);
    snprintf(command, sizeof command, "%s -e %s --inlines --functions=short < %s; rm %s",
             TEST_SYMBOLIZER, program, list, list);
    return popen(command, "r");
}

/* The frames of one address, innermost first; 0 at the end of the output. */
static int read_expected(FILE *in, struct expected *frames)
{
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, in) && *line != '\n') {
        struct expected *e = &frames[count++];
        ck_assert_int_lt(count, MOST_FRAMES);
        snprintf(e->name, sizeof e->name, "%.*s", (int)strcspn(line, "\n"), line);
        ck_assert_ptr_nonnull(fgets(line, sizeof line, in));
        line[strcspn(line, "\n")] = '\0';
        for (int i = 0; i < 2; i++) { /* file:line:column */
            char *colon = strrchr(line, ':');
            ck_assert_ptr_nonnull(colon);
            *colon = '\0';
            e->line = i == 0 ? 0 : (unsigned)atoi(colon + 1);
        }
        snprintf(e->file, sizeof e->file, "%.511s", line);
    }
    return count;
}

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct score {
    unsigned addresses, right, inlined;
};

static bool is_right(const struct sca_address_info *place, const struct expected *frames, int count)
{
    if ((int)place->nframes != count)
        return false;
    for (int i = 0; i < count; i++) {
        const struct sca_frame *f = &place->frames[count - 1 - i];
        size_t stem = strcspn(frames[i].name, "<");
        char name[512];
        snprintf(name, sizeof name, "%.*s", (int)stem, frames[i].name);
        if (!strstr(f->name, name) || strcmp(base(f->file), base(frames[i].file)) ||
            (frames[i].line && f->line != frames[i].line))
            return false;
    }
    return true;
}

static void complain(uint64_t address, const struct sca_address_info *place,
                     const struct expected *e, int count)
{
    fprintf(stderr, "0x%llx\n", (unsigned long long)address);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "  expected %s %s:%u\n", e[i].name, e[i].file, e[i].line);
    for (uint32_t i = place->nframes; i-- > 0;)
        fprintf(stderr, "  found    %s %s:%u\n", place->frames[i].name, place->frames[i].file,
                place->frames[i].line);
}

static struct score compare(const char *program, unsigned step)
{
    struct sca_attribution a = {0};
    struct sca_module module = {program, ""};
    struct sca_binary *binary;
    struct expected frames[MOST_FRAMES];
    struct score score = {0, 0, 0};
    uint32_t index;
    ck_assert_int_eq(sca_binary_open(program, "", &binary), SCA_OK);
    struct text text = find_text(binary);
    ck_assert_int_eq(sca_attribution_add(&a, &module, true, &index), SCA_OK);
    ck_assert_int_eq(sca_attribution_ready(&a), SCA_OK);
    FILE *in = symbolize(program, text, step);
    ck_assert_ptr_nonnull(in);
    for (uint64_t at = text.first; at < text.last; at += step) {
        const struct sca_address_info *place;
        int count = read_expected(in, frames);
        ck_assert_int_eq(sca_attribution_lookup(&a, index, at, SCA_NODE_PC, &place), SCA_OK);
        if (!strcmp(frames[0].file, "??") || !strcmp(frames[0].name, "??") || !frames[0].line)
            continue; /* start-up code, padding, a line of zero: the decoder goes its own way */
        bool right = is_right(place, frames, count);
        if (!right && score.addresses - score.right < 3)
            complain(at, place, frames, count);
        score.addresses++;
        score.right += right;
        score.inlined += count > 1;
    }
    pclose(in);
    sca_binary_close(binary);
    sca_attribution_free(&a);
    return score;
}

static void check_program(const char *name, unsigned step)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_PROGRAMS, name);
    if (!*TEST_SYMBOLIZER || access(path, R_OK))
        return;
    struct score score = compare(path, step);
    printf("%s: %u of %u addresses, %u inlined\n", name, score.right, score.addresses,
           score.inlined);
    ck_assert_uint_gt(score.addresses, 50);
    ck_assert_uint_eq(score.right, score.addresses);
}

START_TEST(c_frames_are_the_symbolizers)
{
    check_program("nested_o0", 1);
    check_program("nested_o2", 1);
    check_program("nested_sections", 1);
    check_program("nested_static", 7);
}
END_TEST

START_TEST(cpp_frames_are_the_symbolizers)
{
    check_program("templates_o1", 1);
    check_program("templates_o3", 1);
}
END_TEST

START_TEST(fortran_frames_are_the_symbolizers)
{
    check_program("modules_o1", 3);
    check_program("modules_o3", 3);
}
END_TEST

/* ---- vertices, where scalana-static was built ---- */

struct vertices {
    unsigned frames, in_graph, calls, right_calls, leaves, right_lines;
};

static void check_frame(const struct sca_attribution *a, const struct sca_address_info *place,
                        uint32_t i, struct vertices *count)
{
    const struct sca_frame *f = &place->frames[i];
    count->frames++;
    if (f->function == SCA_NO_FUNCTION)
        return;
    count->in_graph++;
    const struct sca_function *function = &a->psg.functions[f->function];
    const struct sca_vertex *v = &function->vertices[f->vertex];
    if (i + 1 == place->nframes) {
        count->leaves++;
        count->right_lines += v->line <= f->line && f->line <= v->end_line;
    } else if (place->frames[i + 1].function != SCA_NO_FUNCTION) {
        const char *callee = a->psg.functions[place->frames[i + 1].function].linkage;
        count->calls++;
        count->right_calls += v->kind == SCA_CALL && !strcmp(v->callee, callee);
    }
}

static struct vertices count_vertices(const char *program)
{
    struct sca_attribution a = {0};
    struct sca_module module = {program, ""};
    struct sca_binary *binary;
    struct vertices count = {0};
    uint32_t index;
    ck_assert_int_eq(sca_binary_open(program, "", &binary), SCA_OK);
    struct text text = find_text(binary);
    sca_binary_close(binary);
    ck_assert_int_eq(sca_attribution_add(&a, &module, true, &index), SCA_OK);
    ck_assert_int_eq(sca_attribution_ready(&a), SCA_OK);
    for (uint64_t at = text.first; at < text.last; at++) {
        const struct sca_address_info *place;
        ck_assert_int_eq(sca_attribution_lookup(&a, index, at, SCA_NODE_PC, &place), SCA_OK);
        for (uint32_t i = 0; i < place->nframes; i++)
            if (strstr(place->frames[0].file, "/programs/"))
                check_frame(&a, place, i, &count);
    }
    sca_attribution_free(&a);
    return count;
}

static void check_graph(const char *name, double least)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_PROGRAMS, name);
    if (access(path, R_OK))
        return;
    struct vertices n = count_vertices(path);
    printf("%s: %u of %u frames in the graph, %u of %u inlined calls, %u of %u lines\n", name,
           n.in_graph, n.frames, n.right_calls, n.calls, n.right_lines, n.leaves);
    ck_assert_uint_gt(n.frames, 50);
    ck_assert_uint_ge(n.in_graph, (unsigned)(least * n.frames));
    ck_assert_uint_ge(n.right_calls, (unsigned)(least * n.calls));
    ck_assert_uint_ge(n.right_lines, (unsigned)(least * n.leaves));
}

START_TEST(vertices_hold_their_lines_and_calls)
{
    check_graph("graph_nested_o0", 1);
    check_graph("graph_nested_o3", 0.97);
    check_graph("graph_nested_g", 0.97);
    check_graph("graph_templates_o3", 0.97);
    check_graph("graph_modules_o3", 0.97);
}
END_TEST

START_TEST(linkage_names_become_readable)
{
    static const char *const names[][2] = {
        {"plain_c", "plain_c"},
        {"_ZSt4sortIPdEvT_S1_", "std::sort"},
        {"_ZN3fooclEi", "foo::operator()"},
        {"_ZNSt8functionIFviEEclEi", "std::function::operator()"},
        {"_ZN12_GLOBAL__N_13barEv", "(anonymous namespace)::bar"},
        {"_ZlsRSoRK1X", "operator<<"},
        {"_ZlsISt11char_traitsIcEERSoS2_PKc", "operator<<"},
        {"_ZN1XltERKS_", "X::operator<"},
        {"_ZN9__gnu_cxxneIPdSt6vectorIdSaIdEEEEbRKNS_17__normal_iteratorIT_T0_EESA_",
         "__gnu_cxx::operator!="},
        {"_ZNK1XcvbEv", "X::operator bool"},
        {"_ZN1XptEv", "X::operator->"},
        {"_ZZ4mainENKUliE_clEi", "main::{lambda}::operator()"},
        {"_ZZ5solveiPdENKUliE_clEi", "solve::{lambda}::operator()"},
        {"_ZZNK1SclEiENKUldE_clEd", "S::operator()::{lambda}::operator()"},
        {"_ZZN1S1fEiEN1L2goEd", "S::f::L::go"},
        {"_ZNK1ScvPKcEv", "S::operator char const*"},
        {"_ZNK3FooIiE3getEv", "Foo::get"}};
    struct sca_binary binary = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_str_eq(sca_binary_demangle(&binary, names[i][0]), names[i][1]);
    sca_arena_free(&binary.arena);
}
END_TEST

START_TEST(stripped_functions_are_told_apart_by_their_start)
{
    struct sca_attribution a = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/halo_stripped", TEST_PROGRAMS);
    struct sca_module module = {path, ""};
    const struct sca_address_info *place;
    uint32_t index;
    unsigned names = 0, known = 0, stubs = 0;
    char last[256] = "", own[32];
    ck_assert_int_eq(sca_attribution_add(&a, &module, true, &index), SCA_OK);
    ck_assert_int_eq(sca_attribution_ready(&a), SCA_OK);
    for (uint64_t at = 0x1000; at < 0x1400; at++) {
        ck_assert_int_eq(sca_attribution_lookup(&a, index, at, SCA_NODE_PC, &place), SCA_OK);
        bool stub = sca_binary_is_stub(a.modules[index].binary, at);
        ck_assert_uint_eq(place->nframes, stub ? 0 : 1); /* a call of a library is its caller's */
        ck_assert(place->user == !stub);
        stubs += stub;
        if (stub)
            continue;
        snprintf(own, sizeof own, "+0x%llx", (unsigned long long)at);
        if (strstr(place->frames[0].name, own))
            continue; /* a function's first byte, or what lies between functions */
        known++;
        names += strcmp(last, place->frames[0].name) != 0;
        snprintf(last, sizeof last, "%s", place->frames[0].name);
    }
    ck_assert_uint_gt(known, 300);
    ck_assert_uint_lt(names, 30);
    ck_assert_uint_gt(stubs, 0);
    sca_attribution_free(&a);
}
END_TEST

Suite *test_suite(void)
{
    Suite *s = suite_create("attribute");
    TCase *c = tcase_create("frames");
    tcase_add_test(c, c_frames_are_the_symbolizers);
    tcase_add_test(c, cpp_frames_are_the_symbolizers);
    tcase_add_test(c, fortran_frames_are_the_symbolizers);
    tcase_add_test(c, vertices_hold_their_lines_and_calls);
    tcase_add_test(c, linkage_names_become_readable);
    tcase_add_test(c, stripped_functions_are_told_apart_by_their_start);
    suite_add_tcase(s, c);
    return s;
}
