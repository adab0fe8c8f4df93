#include "psg_fixture.h"
#include "sca_error.h"

static struct section s;
static struct sca_psg psg;

static void read_figure3(void)
{
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 0x1122334455667788, 7);
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
}

START_TEST(what_was_written_is_read)
{
    read_figure3();
    ck_assert_uint_eq(psg.nfunctions, 2);
    ck_assert_uint_eq(psg.nunits, 1);
    const struct sca_function *f = &psg.functions[function_named(&psg, "main")];
    ck_assert_uint_eq(f->nvertices, 9);
    ck_assert_str_eq(f->files[0], "/src/a.c");
    ck_assert_str_eq(f->name, "main");
    ck_assert_uint_eq(f->vertices[5].kind, SCA_LOOP);
    ck_assert_uint_eq(f->vertices[5].line, 6);
    ck_assert_uint_eq(f->vertices[5].end_line, 7);
    ck_assert_uint_eq(f->vertices[5].parent, 1);
    ck_assert_str_eq(f->vertices[8].callee, "MPI_Bcast");
    ck_assert_uint_eq(sca_psg_max_loop_depth(&psg), 7);
    sca_psg_free(&psg);
}
END_TEST

START_TEST(an_id_finds_its_vertex)
{
    uint32_t function, vertex;
    read_figure3();
    const struct sca_unit *unit = sca_psg_unit(&psg, 0x1122334455667788);
    ck_assert_ptr_nonnull(unit);
    ck_assert_int_eq(sca_psg_find(&psg, unit, 10 + 3, &function, &vertex), SCA_OK);
    ck_assert_str_eq(psg.functions[function].linkage, "foo");
    ck_assert_uint_eq(vertex, 3);
    ck_assert_int_eq(sca_psg_find(&psg, unit, 9, &function, &vertex), SCA_OK);
    ck_assert_str_eq(psg.functions[function].linkage, "main");
    ck_assert_int_eq(sca_psg_find(&psg, unit, 0, &function, &vertex), SCA_ENOTFOUND);
    ck_assert_int_eq(sca_psg_find(&psg, unit, 14, &function, &vertex), SCA_ENOTFOUND);
    ck_assert_ptr_null(sca_psg_unit(&psg, 1));
    sca_psg_free(&psg);
}
END_TEST

START_TEST(equal_functions_are_stored_once_and_padding_is_skipped)
{
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 1, 10);
    sca_put_u32(&s.w, 0);
    section_figure3(&s);
    section_unit(&s, 2, 10);
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
    ck_assert_uint_eq(psg.nfunctions, 2);
    ck_assert_uint_eq(psg.nunits, 2);
    sca_psg_free(&psg);
}
END_TEST

START_TEST(texts_may_come_in_a_later_section)
{
    struct section paths;
    section_init(&s);
    section_figure3(&s);
    section_init(&paths);
    sca_psg_put_text(&paths.w, "/src/a.c");
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a"), SCA_OK);
    ck_assert_str_eq(psg.functions[0].files[0], "");
    ck_assert_int_eq(sca_psg_add(&psg, paths.bytes, paths.w.length, "b"), SCA_OK);
    ck_assert_str_eq(psg.functions[0].files[0], "/src/a.c");
    sca_psg_free(&psg);
}
END_TEST

/* Exact-size heap copies, so that the sanitizers see any byte read beyond the end. */
static int add_copy(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    int status = sca_psg_add(&psg, copy, length, "cut");
    sca_psg_free(&psg);
    free(copy);
    return status;
}

START_TEST(a_section_cut_at_any_byte_is_whole_or_refused)
{
    size_t whole = 0;
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 1, 10);
    for (size_t length = 0; length <= s.w.length; length++) {
        int status = add_copy(s.bytes, length);
        ck_assert(status == SCA_OK || status == SCA_EFORMAT);
        whole += status == SCA_OK;
    }
    ck_assert_uint_eq(whole, 9); /* nothing, and after each of eight records */
}
END_TEST

START_TEST(a_section_with_any_byte_changed_never_harms)
{
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 1, 10);
    for (size_t at = 0; at < s.w.length; at++)
        for (unsigned flip = 1; flip < 256; flip += 2) {
            s.bytes[at] ^= (uint8_t)flip;
            add_copy(s.bytes, s.w.length);
            s.bytes[at] ^= (uint8_t)flip;
        }
}
END_TEST

START_TEST(damage_is_named_with_file_and_offset)
{
    section_init(&s);
    section_figure3(&s);
    s.bytes[20] ^= 1;
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_EFORMAT);
    ck_assert_str_eq(sca_error_message(), "a.o: damaged graph at byte 0 of .scalana.psg");
    s.bytes[20] ^= 1;
    s.bytes[2] = 9;
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_EVERSION);
    sca_psg_free(&psg);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_written_is_read,
        an_id_finds_its_vertex,
        equal_functions_are_stored_once_and_padding_is_skipped,
        texts_may_come_in_a_later_section,
        a_section_cut_at_any_byte_is_whole_or_refused,
        a_section_with_any_byte_changed_never_harms,
        damage_is_named_with_file_and_offset,
    };
    return run_suite("psg_io", tests, sizeof tests / sizeof *tests);
}
