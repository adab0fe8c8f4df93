#include "show/page.h"
#include "show/heavy.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAVIEST = 5, CAUSES = 3, CLASSES = 6, LEAST_RANKS = 4, NO_LIMIT = 1 << 20 };

/* UTF-8 stays; control characters do not. */
static void clean(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == 127)
            *at = '?';
}

void sca_page_say(struct sca_page *page, enum sca_page_style style, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int made = vasprintf(&text, format, args);
    va_end(args);
    if (made < 0)
        return;
    clean(text);
    if (page->n == page->room) {
        page->room = page->room ? 2 * page->room : 32;
        page->line = sca_must(realloc(page->line, page->room * sizeof *page->line));
    }
    page->line[page->n++] = (struct sca_page_line){text, style};
}

/* Broken at blanks; what follows stands two columns further in. */
static void wrap(struct sca_page *page, enum sca_page_style style, const char *text,
                 uint32_t columns)
{
    size_t indent = 0;
    while (strlen(text) + indent > columns && columns > 20) {
        size_t n = columns - indent;
        while (n > 10 && text[n] != ' ')
            n--;
        if (text[n] != ' ')
            n = columns - indent;
        sca_page_say(page, style, "%*s%.*s", (int)indent, "", (int)n, text);
        text += n + (text[n] == ' ');
        indent = 2;
    }
    sca_page_say(page, style, "%*s%s", (int)indent, "", text);
}

static void say_run(const struct sca_shown *s, struct sca_page *page)
{
    const char *program = scalana_run_metadata(s->look->runs, 0, "program");
    char *run = sca_tell_run(s->look);
    sca_page_say(page, SCA_PAGE_TITLE, "%s on %u rank%s, %s%s", program ? program : s->directory,
                 s->look->nranks, s->look->nranks == 1 ? "" : "s", run,
                 s->frozen ? "  [frozen]" : "");
    free(run);
}

static void say_figures(const struct sca_shown *s, uint32_t columns, struct sca_page *page)
{
    const struct sca_efficiency *e = &s->look->efficiency;
    char loop[144] = "", text[272];
    if (s->look->loop != SCALANA_NONE) {
        char *place = sca_tell_place(s->look, s->look->loop);
        snprintf(loop, sizeof loop, "; %s%.0f iterations of the loop at %.60s, %.3g per second",
                 s->look->at_least ? "at least " : "", s->look->iterations, place,
                 sca_heavy_rate(s->look, s->before));
        free(place);
    }
    snprintf(text, sizeof text,
             "parallel efficiency %.0f %% = load balance %.0f %% x communication %.0f %%%s",
             100 * e->parallel, 100 * e->load_balance, 100 * e->communication, loop);
    wrap(page, SCA_PAGE_PLAIN, text, columns);
}

static void say_hangs(const struct sca_shown *s, uint32_t columns, struct sca_page *page)
{
    enum { MOST = 4 };
    bool alarm;
    char *text;
    for (uint32_t i = 0; i < MOST && (text = sca_tell_hang(s->look, s->hangs, i, &alarm)); i++) {
        wrap(page, alarm ? SCA_PAGE_ALARM : SCA_PAGE_NOTE, text, columns);
        free(text);
    }
}

static void say_states(const struct sca_shown *s, struct sca_page *page)
{
    static const char *const states[] = {"computing", "late",  "waiting", "in MPI",
                                         "finished",  "ended", "unknown"};
    char text[160] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        unsigned n = 0;
        for (uint32_t r = 0; r < s->look->nranks; r++)
            n += !strcmp(sca_tell_state(s->look, s->hangs, r), states[i]);
        if (n)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u %s", used ? ", " : "",
                                     n, states[i]);
    }
    sca_page_say(page, SCA_PAGE_PLAIN, "ranks: %s", text);
}

static void say_heavy(const struct sca_shown *s, struct sca_page *page)
{
    struct sca_heavy heavy[HEAVIEST];
    uint32_t n = sca_heavy_find(s->look, s->before, heavy, HEAVIEST);
    sca_page_say(page, SCA_PAGE_HEADER, "HEAVIEST %s",
                 !s->before          ? "SINCE MPI_INIT"
                 : s->since_snapshot ? "SINCE THE SNAPSHOT"
                                     : "SINCE THE LAST LOOK");
    if (!n)
        sca_page_say(page, SCA_PAGE_PLAIN, "  nothing was completed meanwhile");
    for (uint32_t i = 0; i < n; i++) {
        const struct scalana_context *at = &s->look->contexts[heavy[i].context];
        char *place = sca_tell_place(s->look, heavy[i].context);
        sca_page_say(page, SCA_PAGE_PLAIN, "  %8.2f core-s  %s %s", heavy[i].core_s, place,
                     *at->name ? at->name : at->function);
        free(place);
    }
}

static void say_verdict(const struct sca_shown *s, uint32_t columns, struct sca_page *page)
{
    struct scalana_summary summary;
    struct scalana_cause cause;
    char text[1024];
    if (!s->look->report || scalana_report_get(s->look->report, &summary, sizeof summary))
        return;
    sca_page_say(page, SCA_PAGE_HEADER, "VERDICT SO FAR");
    if (!summary.ncauses)
        sca_page_say(page, SCA_PAGE_PLAIN, "  no cause so far");
    for (uint32_t i = 0; i < summary.ncauses && i < CAUSES; i++) {
        if (scalana_report_causes(s->look->report, i, 1, &cause, sizeof cause) ||
            scalana_cause_text(s->look->report, i, text, sizeof text, NULL))
            continue;
        char *line = sca_words_format("  %s; fixing it saves %.0f %% (%.1f core-s, 95 %%: %.1f "
                                      "to %.1f)",
                                      text, 100 * cause.gain_share, cause.gain_core_s,
                                      cause.gain_low_core_s, cause.gain_high_core_s);
        wrap(page, SCA_PAGE_PLAIN, line, columns);
        free(line);
    }
}

static void say_help(struct sca_page *page)
{
    static const char *const keys[] = {
        "  s      snapshot: keeps the state in a folder, and writes its report",
        "  d      heaviest contexts since the snapshot, or since the last look",
        "  c      classes of ranks that behave alike, or the ranks",
        "  f      follow one rank: type its number, then Enter; f again: all ranks",
        "  z      freeze the screen; z again: go on",
        "  up, down, page up, page down    move along the ranks, or classes",
        "  q      quit; the program goes on"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        sca_page_say(page, SCA_PAGE_PLAIN, "%s", keys[i]);
}

static void cut(struct sca_page *page, uint32_t lines, uint32_t columns)
{
    while (lines && page->n > lines)
        free(page->line[--page->n].text);
    for (uint32_t i = 0; i < page->n; i++) {
        char *text = page->line[i].text;
        uint32_t seen = 0;
        for (; *text && (seen += (*text & 0xc0) != 0x80) <= columns; text++)
            ;
        *text = '\0';
    }
}

static void append(struct sca_page *page, struct sca_page *more)
{
    for (uint32_t i = 0; i < more->n; i++)
        sca_page_say(page, more->line[i].style, "%s", more->line[i].text);
    sca_page_free(more);
}

/* Lines for what is there once for each rank, or class. */
static uint32_t lines_left(uint32_t lines, const struct sca_page *page,
                           const struct sca_page *below)
{
    uint32_t used = page->n + below->n + 2; /* its header, and the last line */
    if (!lines)
        return NO_LIMIT;
    return lines > used + LEAST_RANKS ? lines - used : LEAST_RANKS;
}

/* Few classes stand below the ranks where both have room. Of one class there is nothing to tell. */
static void say_few_classes(const struct sca_shown *s, uint32_t left, struct sca_page *page)
{
    uint32_t n = sca_page_count_classes(s), most = left == NO_LIMIT || n < CLASSES ? n : CLASSES;
    uint32_t ranks = s->look->nranks < LEAST_RANKS ? s->look->nranks : LEAST_RANKS;
    if (n < 2 || left < ranks + most + 2)
        return;
    sca_page_classes(s, 0, most, page);
    if (most < n)
        sca_page_say(page, SCA_PAGE_PLAIN, "  and %u more: c shows all", n - most);
}

static void say_body(const struct sca_shown *s, uint32_t lines, uint32_t columns,
                     struct sca_page *page)
{
    struct sca_page below = {0}, classes = {0};
    if (s->help)
        say_help(&below);
    say_heavy(s, &below);
    say_verdict(s, columns, &below);
    uint32_t left = lines_left(lines, page, &below);
    bool one = s->follow < s->look->nranks;
    if (s->classes && !one)
        sca_page_classes(s, s->scroll, left, page);
    else {
        if (!one)
            say_few_classes(s, left, &classes);
        sca_page_ranks(s, left - classes.n, page);
    }
    append(page, &classes);
    append(page, &below);
}

void sca_page_make(const struct sca_shown *s, uint32_t lines, uint32_t columns,
                   struct sca_page *out)
{
    *out = (struct sca_page){0};
    say_run(s, out);
    say_figures(s, columns, out);
    say_hangs(s, columns, out);
    say_states(s, out);
    if (s->gather)
        sca_page_hosts(s, out);
    say_body(s, lines, columns, out);
    if (!lines) {
        cut(out, 0, NO_LIMIT);
        return;
    }
    cut(out, lines - 1, columns);
    sca_page_say(out, SCA_PAGE_HEADER, "%s",
                 *s->message ? s->message
                             : "q quit  s snapshot  d difference  c classes  f follow  "
                               "z freeze  ? keys");
    cut(out, lines, columns);
}

void sca_page_free(struct sca_page *page)
{
    for (uint32_t i = 0; i < page->n; i++)
        free(page->line[i].text);
    free(page->line);
    *page = (struct sca_page){0};
}
