/* Locks: threads as rows, places in the source as columns, hand-overs as lines between them. */
#include "html/html_parts.h"
#include "sca_contention.h"
#include "sca_error.h"
#include "sca_phrase.h"

#include <math.h>

enum { MOST_THREADS = 32, MOST_PLACES = 6, MOST_LINES = 256, MOST_ROWS = 100 };
enum { ROOM = 130, HEAD = 60, ROW = 36, COLUMN = 200, SIDE = 260 };
enum { BULGE = 22, DOT = 4, THICK = 5 };

struct hand_over_picture {
    const struct sca_html *h;
    const struct sca_contention_grid *grid;
};

static double column_x(uint32_t place)
{
    return ROOM + COLUMN * (place + 0.5);
}

static double row_y(uint32_t thread)
{
    return HEAD + ROW * (thread + 0.5);
}

static const char *thread_name(char name[64], const struct hand_over_picture *d, uint32_t row)
{
    const struct sca_contention_thread *t = &d->grid->threads[row];
    snprintf(name, 64, "rank %u, thread %u", t->rank, t->thread);
    return name;
}

static const struct sca_report_vertex *place(const struct hand_over_picture *d, uint32_t column)
{
    return &d->h->r->vertices[d->grid->places[column].vertex];
}

/* "solver.cpp:13 in relax" */
static const char *where(char text[2 * SCA_PHRASE], const struct sca_report_vertex *v)
{
    char at[SCA_PHRASE], function[SCA_PHRASE];
    sca_html_place(at, v);
    sca_html_function(function, v);
    snprintf(text, 2 * SCA_PHRASE, *function ? "%s in %s" : "%s", at, function);
    return text;
}

/* "": not known, or several. */
static const char *lock_name(const struct hand_over_picture *d, const struct sca_contention_link *l)
{
    return l->lock ? d->h->r->contention.locks[l->lock - 1].name : "";
}

/* ---- the picture ---- */

static void put_heads(const struct hand_over_picture *d)
{
    char text[SCA_PHRASE];
    for (uint32_t p = 0; p < d->grid->nplaces; p++) {
        fprintf(d->h->out, "<text class=\"head\" x=\"%.0f\" y=\"14\">", column_x(p));
        sca_html_short(d->h, sca_html_place(text, place(d, p)), 30);
        fprintf(d->h->out, "</text><text class=\"tick\" x=\"%.0f\" y=\"30\">in ", column_x(p));
        sca_html_short(d->h, sca_html_function(text, place(d, p)), 28);
        fprintf(d->h->out, "</text><text class=\"tick\" x=\"%.0f\" y=\"46\">", column_x(p));
        sca_html_short(d->h, sca_html_what(text, place(d, p)), 30);
        fputs("</text>", d->h->out);
    }
}

static void put_threads(const struct hand_over_picture *d)
{
    char name[64], waited[32], kept[32];
    uint32_t end = ROOM + COLUMN * d->grid->nplaces;
    for (uint32_t t = 0; t < d->grid->nthreads; t++)
        fprintf(d->h->out,
                "<text class=\"label\" x=\"%d\" y=\"%.0f\">%s</text><path class=\"thread\" "
                "d=\"M%d %.0fH%u\"/><text x=\"%u\" y=\"%.0f\">waited %s, kept others %s</text>",
                ROOM - 8, row_y(t) + 4, thread_name(name, d, t), ROOM, row_y(t), end, end + 8,
                row_y(t) + 4, sca_html_duration(waited, d->grid->threads[t].waited_s),
                sca_html_duration(kept, d->grid->threads[t].kept_s));
}

static void put_title(const struct hand_over_picture *d, const struct sca_contention_link *l)
{
    char holder[64], waiter[64], duration[32], at[2 * SCA_PHRASE];
    fprintf(d->h->out, "<title>%s had ", thread_name(holder, d, l->from_thread));
    sca_html_text(d->h, l->lock ? lock_name(d, l) : "it");
    fputs(" from ", d->h->out);
    sca_html_text(d->h, where(at, place(d, l->from_place)));
    fprintf(d->h->out, ". %s waited for it at ", thread_name(waiter, d, l->to_thread));
    sca_html_text(d->h, where(at, place(d, l->to_place)));
    sca_html_say(d->h, ": %s in %.0f waits</title>", sca_html_duration(duration, l->seconds),
                 l->count);
}

/* Within a column lines down bend to the right and lines up to the left, the more the further. */
static void put_link(const struct hand_over_picture *d, const struct sca_contention_link *l,
                     double most)
{
    double x = column_x(l->from_place), y = row_y(l->from_thread);
    double to_x = column_x(l->to_place), to_y = row_y(l->to_thread);
    double rows = fabs(to_y - y) / ROW;
    double bend = l->from_place == l->to_place ? BULGE + BULGE * fmin(rows, 4) : 0;
    double middle = (x + to_x) / 2 + (to_y > y ? bend : -bend);
    fprintf(d->h->out,
            "<path class=\"hand\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" stroke-width=\"%.1f\" "
            "marker-end=\"url(#hand-end)\">",
            x, y, middle, (y + to_y) / 2, to_x, to_y, fmax(1, THICK * l->seconds / most));
    put_title(d, l);
    fputs("</path>", d->h->out);
}

static void put_dots(const struct hand_over_picture *d)
{
    for (uint32_t t = 0; t < d->grid->nthreads; t++)
        for (uint32_t p = 0; p < d->grid->nplaces; p++) {
            bool any = false;
            for (uint32_t i = 0; i < d->grid->nlinks; i++) {
                const struct sca_contention_link *l = &d->grid->links[i];
                any |= (l->from_thread == t && l->from_place == p) ||
                       (l->to_thread == t && l->to_place == p);
            }
            if (any)
                fprintf(d->h->out, "<circle class=\"point\" cx=\"%.0f\" cy=\"%.0f\" r=\"%d\"/>",
                        column_x(p), row_y(t), DOT);
        }
}

/* The longest on top. */
static void put_picture(const struct hand_over_picture *d)
{
    const struct sca_contention_grid *g = d->grid;
    uint32_t wide = ROOM + COLUMN * g->nplaces + SIDE, high = HEAD + ROW * g->nthreads + 2;
    uint32_t n = g->nlinks < MOST_LINES ? g->nlinks : MOST_LINES;
    fprintf(d->h->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Hand-overs of "
            "locks\"><svg role=\"img\" aria-labelledby=\"t-locks\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\"><title id=\"t-locks\">Hand-overs of locks: a row for each "
            "thread, a column for each place</title><defs><marker id=\"hand-end\" "
            "viewBox=\"0 0 8 8\" refX=\"10\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" "
            "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"hand-end\" "
            "d=\"M0 0L8 4L0 8z\"/></marker></defs>",
            wide, high, wide, high);
    put_heads(d);
    put_threads(d);
    put_dots(d);
    while (n--)
        put_link(d, &g->links[n], g->links[0].seconds);
    fputs("</svg></div>\n", d->h->out);
}

/* ---- words and numbers ---- */

static void put_caption(const struct hand_over_picture *d)
{
    const struct sca_report_contention *c = &d->h->r->contention;
    char all[32], shown[32], unknown[32];
    sca_html_say(
        d->h,
        "Threads waited %s for locks that other threads of their rank had. Each line leads "
        "from who lets a lock go to who waits for it, and is the thicker the longer that "
        "one waits.",
        sca_html_duration(all, c->wait_s));
    if (d->grid->threads_left_out || d->grid->places_left_out)
        sca_html_say(d->h, " The picture has %s of it: %u threads and %u places are left out.",
                     sca_html_duration(shown, d->grid->seconds), d->grid->threads_left_out,
                     d->grid->places_left_out);
    if (c->unknown_s > 0.01 * c->wait_s)
        sca_html_say(
            d->h,
            " Of %s the threads are not known. On shared cores threads seldom meet at a lock; with "
            "a core for each they would wait.",
            sca_html_duration(unknown, c->unknown_s));
}

static void put_numbers(const struct hand_over_picture *d)
{
    char text[2 * SCA_PHRASE];
    uint32_t n = d->grid->nlinks < MOST_ROWS ? d->grid->nlinks : MOST_ROWS;
    fputs("<details><summary>Numbers</summary>", d->h->out);
    sca_html_table(d->h, n < d->grid->nlinks ? "The longest waits" : "Waits by pair of threads",
                   "Waits|At|For|Had from|Lock|#Waits|#Seconds", true);
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_contention_link *l = &d->grid->links[i];
        fputs("<tr>", d->h->out);
        sca_html_cell(d->h, thread_name(text, d, l->to_thread));
        sca_html_cell(d->h, where(text, place(d, l->to_place)));
        sca_html_cell(d->h, thread_name(text, d, l->from_thread));
        sca_html_cell(d->h, where(text, place(d, l->from_place)));
        sca_html_cell(d->h, lock_name(d, l));
        sca_html_number(d->h, "%.0f", l->count);
        sca_html_number(d->h, "%.3g", l->seconds);
        fputs("</tr>\n", d->h->out);
    }
    sca_html_table_end(d->h);
    fputs("</details>\n", d->h->out);
}

static void put_locks(const struct sca_html *h)
{
    const struct sca_report_contention *c = &h->r->contention;
    if (!c->nlocks)
        return;
    sca_html_table(h, "Locks", "Lock|Made at|#Seconds waited", false);
    for (uint32_t i = 0; i < c->nlocks && i < MOST_ROWS; i++) {
        char made[SCA_PHRASE] = "";
        if (c->locks[i].line)
            snprintf(made, sizeof made, "%s:%u", c->locks[i].file, c->locks[i].line);
        fputs("<tr>", h->out);
        sca_html_cell(h, c->locks[i].name);
        sca_html_cell(h, made);
        sca_html_number(h, "%.3g", c->locks[i].wait_s);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
}

int sca_html_locks(const struct sca_html *h)
{
    struct sca_contention_grid grid;
    const struct hand_over_picture d = {h, &grid};
    if (!(h->r->contention.wait_s > 0))
        return SCA_OK;
    int status = sca_contention_grid_make(h->r, MOST_THREADS, MOST_PLACES, &grid);
    if (status != SCA_OK)
        return status;
    fputs("<section id=\"locks\" aria-labelledby=\"h-locks\"><h2 id=\"h-locks\">Locks</h2>\n"
          "<figure><figcaption>",
          h->out);
    put_caption(&d);
    fputs("</figcaption>\n", h->out);
    put_locks(h);
    if (grid.nlinks) {
        put_picture(&d);
        put_numbers(&d);
    }
    fputs("</figure></section>\n", h->out);
    sca_contention_grid_free(&grid);
    return SCA_OK;
}
