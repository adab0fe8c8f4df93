#include "panes.h"
#include "sample_report.h"
#include "suite.h"
#include "temp_folder.h"
#include "sca_error.h"
#include "lines.h"
#include "model.h"
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static char home[TEMP_FOLDER];
static struct sca_sources sources;

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void enter(void)
{
    temp_folder(home);
    ck_assert_int_eq(chdir(home), 0);
    mkdir("out", 0700);
    mkdir("moved", 0700);
    mkdir("moved/src", 0700);
    write_file("out/report.json", "{}");
    sources = (struct sca_sources){0};
    sca_source_open(&sources, "out/report.json");
}

static void leave(void)
{
    sca_source_close(&sources);
    ck_assert_int_eq(chdir("/"), 0);
    temp_folder_drop(home);
}

START_TEST(a_mapping_leads_to_moved_sources)
{
    enter();
    write_file("moved/src/a.c", "one\ntwo");
    ck_assert_int_eq(sca_source_load(&sources, "/build/src/a.c"), SCA_ENOTFOUND);
    ck_assert_int_eq(sca_source_map(&sources, "/buil=moved"), 0);
    ck_assert_int_eq(sca_source_load(&sources, "/build/src/a.c"), SCA_ENOTFOUND);
    ck_assert_int_eq(sca_source_map(&sources, "/build/=moved/"), 0);
    ck_assert_int_eq(sca_source_load(&sources, "/build/src/a.c"), 0);
    ck_assert_str_eq(sources.found, "moved/src/a.c");
    ck_assert_uint_eq(sources.nlines, 2);
    leave();
}
END_TEST

START_TEST(wrong_mappings_are_refused)
{
    enter();
    ck_assert_int_eq(sca_source_map(&sources, "nothing"), SCA_EINVAL);
    ck_assert_int_eq(sca_source_map(&sources, "=b"), SCA_EINVAL);
    ck_assert_int_eq(sca_source_map(&sources, "a="), SCA_EINVAL);
    for (int i = 0; i < SCA_MAX_MAPPINGS; i++)
        ck_assert_int_eq(sca_source_map(&sources, "/=/tmp"), 0);
    ck_assert_int_eq(sca_source_map(&sources, "/=/tmp"), SCA_EINVAL);
    leave();
}
END_TEST

START_TEST(files_beside_the_report_or_here_are_found)
{
    enter();
    write_file("out/beside.c", "x\n");
    write_file("moved/src/here.c", "x\n");
    ck_assert_int_eq(sca_source_load(&sources, "/gone/src/beside.c"), 0);
    ck_assert_str_eq(sources.found, "out/beside.c");
    ck_assert_int_eq(sca_source_load(&sources, "/gone/moved/src/here.c"), 0);
    ck_assert_int_eq(sca_source_load(&sources, "/gone/out"), SCA_ENOTFOUND);
    ck_assert_int_eq(sca_source_load(&sources, ""), SCA_ENOTFOUND);
    leave();
}
END_TEST

static struct sca_report *report;
static struct sca_model model;
static struct sca_pane pane;

static void show(const char *file, uint32_t vertex)
{
    sca_text_setup(true);
    if (!report)
        report = sca_sample_cg(file);
    ck_assert_int_eq(sca_model_open(&model, report), 0);
    sca_source_pane(&pane, &model, &sources, vertex, 0, 80);
}

static void hide(void)
{
    sca_lines_free(&pane.lines);
    pane = (struct sca_pane){0};
    sca_model_close(&model);
    sca_report_free(report);
    report = NULL;
}

static void write_lines(const char *name, int count)
{
    FILE *file = fopen(name, "w");
    for (int i = 1; i <= count; i++)
        fprintf(file, "line %d;\r\n", i);
    fclose(file);
}

START_TEST(the_lines_of_the_vertex_are_marked_and_in_sight)
{
    enter();
    write_lines("a.c", 100);
    show("a.c", 4);
    ck_assert_uint_eq(pane.lines.count, pane.fixed + 100);
    const struct sca_line *line = &pane.lines.line[pane.fixed + 23];
    ck_assert_str_eq(line->text, "   10.2 s ▶    24 │line 24;");
    ck_assert_int_eq(line->style, SCA_MARKED);
    ck_assert_int_eq(pane.lines.line[pane.fixed + 30].style, SCA_PLAIN);
    ck_assert_uint_eq(pane.top, pane.fixed + 21);
    hide();
    leave();
}
END_TEST

START_TEST(sources_that_changed_are_said_and_shown)
{
    struct utimbuf old = {1000, 1000};
    enter();
    write_lines("a.c", 100);
    utime("out/report.json", &old);
    sca_source_close(&sources);
    sca_source_open(&sources, "out/report.json");
    show("a.c", 4);
    ck_assert_ptr_nonnull(strstr(pane.lines.line[1].text, "changed since it was compiled"));
    ck_assert_uint_eq(pane.lines.count, 102);
    hide();
    write_lines("b.c", 10);
    show("b.c", 4);
    ck_assert_ptr_nonnull(strstr(pane.lines.line[1].text, "Line 24 is past the end"));
    hide();
    leave();
}
END_TEST

START_TEST(the_checksum_of_a_source_counts_more_than_its_date)
{
    static const char *const sums[] = {"c27bf0e41e64067592d0b8e5221c265d",
                                       "00000000000000000000000000000000"};
    struct utimbuf old = {1000, 1000};
    enter();
    write_file("a.c", "int one;\nint two;\n");
    for (int changed = 0; changed < 2; changed++) {
        struct sca_report_source recorded = {"a.c", sums[changed]};
        utime(changed ? "a.c" : "out/report.json", &old); /* by date it would be the other way */
        sca_source_close(&sources);
        sca_source_open(&sources, "out/report.json");
        report = sca_sample_cg("a.c");
        report->sources = &recorded;
        report->nsources = 1;
        report->vertices[4].line = report->vertices[4].end_line = 2;
        show("a.c", 4);
        ck_assert_int_eq(strstr(pane.lines.line[1].text, "changed since") != NULL, changed);
        ck_assert_ptr_nonnull(strstr(pane.lines.line[pane.fixed + 1].text, "2 │int two;"));
        hide();
    }
    leave();
}
END_TEST

START_TEST(missing_sources_say_what_to_do)
{
    enter();
    show("/build/gone.c", 4);
    ck_assert_str_eq(pane.lines.line[0].text, "Source not found: /build/gone.c");
    ck_assert_ptr_nonnull(strstr(pane.lines.line[4].text, "--source OLD=NEW"));
    hide();
    show("", 4);
    ck_assert_ptr_nonnull(strstr(pane.lines.line[0].text, "names no source line"));
    hide();
    leave();
}
END_TEST

VIEWER_SUITE("viewer_source", a_mapping_leads_to_moved_sources, wrong_mappings_are_refused,
             files_beside_the_report_or_here_are_found,
             the_lines_of_the_vertex_are_marked_and_in_sight,
             sources_that_changed_are_said_and_shown,
             the_checksum_of_a_source_counts_more_than_its_date, missing_sources_say_what_to_do)
