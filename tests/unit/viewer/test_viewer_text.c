#include "text.h"
#include "suite.h"

#include <string.h>

static void expect(char *got, const char *wanted)
{
    ck_assert_ptr_nonnull(got);
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(control_characters_become_visible)
{
    sca_text_setup(true);
    expect(sca_text_clean("a\x1b[31m\n\t\x7f"), "a^[[31m^J^I^?");
    expect(sca_text_clean("x\xc2\x9by"), "x<U+009B>y");
    expect(sca_text_clean("\xe2\x80\xaegnp.exe"), "<U+202E>gnp.exe");
    expect(sca_text_clean("bad\xff\xc3"), "bad\\xff\\xc3");
    expect(sca_text_clean("wärme 温"), "wärme 温");
}
END_TEST

START_TEST(a_locale_without_utf8_sees_ascii_only)
{
    sca_text_setup(false);
    expect(sca_text_clean("wärme 温"), "w?rme ?");
    for (const char *p = sca_text_glyphs()->ellipsis; *p; p++)
        ck_assert_int_lt(*p, 127);
    sca_text_setup(true);
}
END_TEST

START_TEST(fitting_counts_columns_and_not_bytes)
{
    sca_text_setup(true);
    ck_assert_int_eq(sca_text_width("温度ab"), 6);
    expect(sca_text_fit("温度ab", 6, SCA_CUT_END), "温度ab");
    expect(sca_text_fit("温度ab", 5, SCA_CUT_END), "温度…");
    expect(sca_text_fit("温度ab", 4, SCA_CUT_END), "温…");
    expect(sca_text_fit("/usr/src/cg.c", 8, SCA_CUT_START), "…rc/cg.c");
    expect(sca_text_fit("abcdefghij", 7, SCA_CUT_MIDDLE), "abc…hij");
    expect(sca_text_fit("abc", 1, SCA_CUT_END), "a");
    expect(sca_text_fit("abc", 0, SCA_CUT_END), "");
    expect(sca_text_skip("温度ab", 2), "度ab");
}
END_TEST

START_TEST(cpp_names_lose_their_arguments_first)
{
    sca_text_setup(true);
    expect(sca_text_name("f<int>(double)", 20), "f<int>(double)");
    expect(sca_text_name("f<int>(double)", 10), "f<int>()");
    expect(sca_text_name("Map<std::pair<int, int>>::put(int)", 12), "Map<>::put()");
    expect(sca_text_name("a_very_long_c_name", 9), "a_ve…name");
    expect(sca_text_name("unbalanced(((", 8), "unba…(((");
    expect(sca_text_name("T::operator<(T const&) const", 12), "T::ope…const");
}
END_TEST

START_TEST(source_lines_may_be_latin1_and_have_tabs)
{
    sca_text_setup(true);
    expect(sca_text_source("\tx = 1;\t// y", 12), "    x = 1;  // y");
    expect(sca_text_source("// w\xe4rme", 8), "// wärme");
    expect(sca_text_source("// w\xc3\xa4rme", 9), "// wärme");
    expect(sca_text_source("a\0b", 3), "a^@b");
    expect(sca_text_source("", 0), "");
}
END_TEST

VIEWER_SUITE("viewer_text", control_characters_become_visible,
             a_locale_without_utf8_sees_ascii_only, fitting_counts_columns_and_not_bytes,
             cpp_names_lose_their_arguments_first, source_lines_may_be_latin1_and_have_tabs)
