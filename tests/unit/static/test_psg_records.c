#include "psg_fixture.h"
#include "check_main.h"
#include "sca_error.h"

static struct section s;
static struct sca_psg psg;

/* The unit's hash. */
static uint64_t read_figure3(void)
{
    section_init(&s);
    section_figure3(&s);
    uint64_t hash = section_unit(&s, 7);
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
    return hash;
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
    const struct sca_unit *unit = sca_psg_unit(&psg, read_figure3());
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
    section_unit(&s, 10);
    sca_wire_put_u32(&s.w, 0);
    section_figure3(&s);
    section_unit(&s, 11);
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
    ck_assert_uint_eq(psg.nfunctions, 2);
    ck_assert_uint_eq(psg.nunits, 2);
    sca_psg_free(&psg);
}
END_TEST

/* Ids run on from function to function, but only of those that have any. */
START_TEST(functions_without_ids_are_known_all_the_same)
{
    const char *files[] = {"/src/a.c"};
    struct sca_vertex vertices[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 10, ""}};
    struct sca_function f = {0, "bare", "bare", false, 1, files, 1, vertices};
    uint32_t function, vertex;
    section_init(&s);
    sca_psg_put_function(&s.out, &f, false);
    section_figure3(&s);
    uint64_t hash = section_unit(&s, 10);
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
    const struct sca_unit *unit = sca_psg_unit(&psg, hash);
    ck_assert_uint_eq(psg.nfunctions, 3);
    ck_assert_uint_eq(unit->nentries, 2);
    ck_assert_int_eq(sca_psg_find(&psg, unit, 1, &function, &vertex), SCA_OK);
    ck_assert_str_eq(psg.functions[function].linkage, "main");
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
    section_unit(&s, 10);
    for (size_t length = 0; length <= s.w.length; length++) {
        int status = add_copy(s.bytes, length);
        ck_assert(status == SCA_OK || status == SCA_EFORMAT);
        whole += status == SCA_OK;
    }
    ck_assert_uint_eq(whole, 2); /* nothing, and all */
}
END_TEST

START_TEST(a_section_with_any_byte_changed_never_harms)
{
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 10);
    for (size_t at = 0; at < s.w.length; at++)
        for (unsigned flip = 1; flip < 256; flip += 2) {
            s.bytes[at] ^= (uint8_t)flip;
            add_copy(s.bytes, s.w.length);
            s.bytes[at] ^= (uint8_t)flip;
        }
}
END_TEST

/* Here the greatest there is: added to a line before it, it is more than 64 bits hold. */
START_TEST(a_number_beyond_all_bounds_anywhere_never_harms)
{
    static const uint8_t greatest[] = {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    uint8_t kept[sizeof greatest];
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 10);
    for (size_t at = 0; at + sizeof greatest <= s.w.length; at++) {
        memcpy(kept, s.bytes + at, sizeof kept);
        memcpy(s.bytes + at, greatest, sizeof greatest);
        ck_assert_int_ne(add_copy(s.bytes, s.w.length), SCA_OK);
        memcpy(s.bytes + at, kept, sizeof kept);
    }
}
END_TEST

/* What no record shows by itself, the hash of the unit does: here a letter of a name. */
START_TEST(damage_is_named_with_file_and_offset)
{
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 10);
    s.bytes[24] ^= 1;
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_EFORMAT);
    ck_assert_str_eq(sca_error_message(), "a.o: damaged graph at byte 0 of .scalana.psg");
    sca_psg_free(&psg);
}
END_TEST

START_TEST(other_versions_are_refused)
{
    section_init(&s);
    section_figure3(&s);
    section_unit(&s, 10);
    s.bytes[2] = 9;
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_EVERSION);
    s.bytes[2] = 1;
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_EVERSION);
    ck_assert_str_eq(sca_error_message(),
                     "a.o: graph of version 1 at byte 0 of .scalana.psg, this ScalAna reads "
                     "version 2: compile it again with scalana-static");
    sca_psg_free(&psg);
}
END_TEST

/* Figure 3's functions often enough to be worth packing. */
static struct section many(void)
{
    static struct section raw, packed;
    section_init(&raw);
    section_init(&packed);
    for (int i = 0; i < 8; i++)
        section_figure3(&raw);
    section_unit(&raw, 10);
    sca_psg_put_packed(&packed.w, raw.bytes, raw.w.length);
    ck_assert_int_eq(packed.w.failed, 0);
    ck_assert_uint_lt(packed.w.length, raw.w.length / 2);
    return packed;
}

START_TEST(packed_records_are_read_and_repeats_kept_once)
{
    s = many();
    s.w.data = s.bytes;
    sca_wire_put_u32(&s.w, 0);
    section_figure3(&s);
    section_unit(&s, 11);
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
    ck_assert_uint_eq(psg.nfunctions, 2);
    ck_assert_uint_eq(psg.nunits, 2);
    ck_assert_str_eq(psg.functions[function_named(&psg, "foo")].vertices[2].callee, "MPI_Send");
    sca_psg_free(&psg);
}
END_TEST

START_TEST(what_is_too_little_to_pack_stays_as_it_is)
{
    struct section small;
    section_init(&s);
    section_init(&small);
    section_unit(&s, 10);
    sca_psg_put_packed(&small.w, s.bytes, s.w.length);
    ck_assert_uint_eq(small.w.length, s.w.length);
    ck_assert_mem_eq(small.bytes, s.bytes, s.w.length);
}
END_TEST

/* A stream has a few bits that mean nothing, such as those that fill its last byte. */
static void add_whole_or_nothing(void)
{
    int status = sca_psg_add(&psg, s.bytes, s.w.length, "changed");
    if (status) {
        ck_assert(status == SCA_EFORMAT || status == SCA_EVERSION);
        ck_assert_uint_eq(psg.nfunctions + psg.nunits, 0);
    } else {
        ck_assert_uint_eq(psg.nfunctions, 2);
        ck_assert_uint_eq(psg.nunits, 1);
        ck_assert_str_eq(psg.functions[function_named(&psg, "foo")].vertices[2].callee, "MPI_Send");
    }
    sca_psg_free(&psg);
}

START_TEST(packed_records_damaged_anywhere_are_refused)
{
    s = many();
    s.w.data = s.bytes;
    for (size_t at = 0; at < s.w.length; at++)
        for (unsigned flip = 1; flip < 256; flip += 7) {
            s.bytes[at] ^= (uint8_t)flip;
            add_whole_or_nothing();
            s.bytes[at] ^= (uint8_t)flip;
        }
    for (size_t length = 1; length < s.w.length; length++)
        ck_assert_int_eq(add_copy(s.bytes, length), SCA_EFORMAT);
}
END_TEST

/* What zlib's checksum cannot see: damage from before the packing. */
START_TEST(damage_inside_packed_records_never_harms)
{
    struct section inner;
    section_init(&inner);
    for (int i = 0; i < 4; i++)
        section_figure3(&inner);
    section_unit(&inner, 10);
    for (size_t at = 0; at < inner.w.length; at++)
        for (unsigned flip = 1; flip < 256; flip += 127) {
            inner.bytes[at] ^= (uint8_t)flip;
            section_init(&s);
            sca_psg_put_packed(&s.w, inner.bytes, inner.w.length);
            add_copy(s.bytes, s.w.length);
            inner.bytes[at] ^= (uint8_t)flip;
        }
}
END_TEST

START_TEST(packed_records_do_not_nest)
{
    struct section outer, twice;
    section_init(&twice);
    section_init(&outer);
    for (int i = 0; i < 40; i++) {
        s = many();
        sca_wire_put_bytes(&twice.w, s.bytes, s.w.length);
    }
    sca_psg_put_packed(&outer.w, twice.bytes, twice.w.length);
    ck_assert_uint_lt(outer.w.length, twice.w.length);
    ck_assert_int_eq(add_copy(outer.bytes, outer.w.length), SCA_EFORMAT);
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {
        what_was_written_is_read,
        an_id_finds_its_vertex,
        equal_functions_are_stored_once_and_padding_is_skipped,
        functions_without_ids_are_known_all_the_same,
        a_section_cut_at_any_byte_is_whole_or_refused,
        a_section_with_any_byte_changed_never_harms,
        a_number_beyond_all_bounds_anywhere_never_harms,
        damage_is_named_with_file_and_offset,
        other_versions_are_refused,
        packed_records_are_read_and_repeats_kept_once,
        what_is_too_little_to_pack_stays_as_it_is,
        packed_records_damaged_anywhere_are_refused,
        damage_inside_packed_records_never_harms,
        packed_records_do_not_nest,
    };
    return one_case("psg_records", tests, sizeof tests / sizeof *tests);
}
