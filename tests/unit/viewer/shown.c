#include "shown.h"

#include <check.h>
#include <string.h>

void shown_open(struct shown *s, struct sca_report *report, int rows, int columns)
{
    *s = (struct shown){.report = report};
    ck_assert_int_eq(sca_view_open(&s->view, report, &s->sources), 0);
    sca_view_resize(&s->view, rows, columns);
    sca_view_draw(&s->view, &s->screen);
}

void shown_close(struct shown *s)
{
    sca_view_close(&s->view);
    sca_source_close(&s->sources);
    sca_lines_free(&s->screen);
    sca_report_free(s->report);
}

void shown_check(const struct shown *s)
{
    ck_assert_uint_eq(s->screen.count, (size_t)s->view.rows);
    for (size_t i = 0; i < s->screen.count; i++)
        ck_assert_msg(sca_text_width(s->screen.line[i].text) <= s->view.columns, "%dx%d: %s",
                      s->view.columns, s->view.rows, s->screen.line[i].text);
}

void shown_press(struct shown *s, int key)
{
    sca_view_key(&s->view, key);
    sca_view_draw(&s->view, &s->screen);
    shown_check(s);
}

void shown_type(struct shown *s, const char *keys)
{
    while (*keys)
        shown_press(s, (unsigned char)*keys++);
}

const char *shown_line(const struct shown *s, const char *text)
{
    for (size_t i = 0; i < s->screen.count; i++)
        if (strstr(s->screen.line[i].text, text))
            return s->screen.line[i].text;
    return NULL;
}

const char *shown_selected(const struct shown *s)
{
    for (size_t i = 0; i < s->screen.count; i++)
        if (s->screen.line[i].style == SCA_SELECTED)
            return s->screen.line[i].text;
    return "";
}
