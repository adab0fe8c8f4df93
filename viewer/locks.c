/* Locks: threads as rows, hand-overs as lines from who let a lock go down or up to who waited. */
#include "lines.h"
#include "model.h"
#include "panes.h"
#include "sca_contention.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 22, CELL = 9, MOST_THREADS = 64, MOST_PLACES = 26 };

struct hand_over_picture {
    const struct sca_model *model;
    const struct sca_contention_grid *grid;
    uint32_t shown; /* hand-overs, a column each */
};

static char letter_of(uint32_t place)
{
    return (char)('a' + place);
}

/* Above each column: how long, and from which place to which. */
static void put_heads(struct sca_lines *lines, const struct hand_over_picture *d)
{
    char text[16];
    sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "%*s", NAME, "waited");
    for (uint32_t i = 0; i < d->shown; i++)
        sca_lines_add(lines, "%*s", CELL, sca_label_seconds(d->grid->links[i].seconds, text));
    sca_lines_begin(lines, SCA_DIM, SCA_NO_VERTEX);
    sca_lines_add(lines, "%*s", NAME, "had at > waited at");
    for (uint32_t i = 0; i < d->shown; i++)
        sca_lines_add(lines, "%*c > %c", CELL - 4, letter_of(d->grid->links[i].from_place),
                      letter_of(d->grid->links[i].to_place));
}

/* 'o' lets it go, an arrow's end has waited, '|' lies between them. */
static char sign_of(const struct sca_contention_link *l, uint32_t thread)
{
    bool down = l->to_thread > l->from_thread;
    uint32_t first = down ? l->from_thread : l->to_thread;
    uint32_t last = down ? l->to_thread : l->from_thread;
    if (thread == l->to_thread)
        return down ? 'v' : '^';
    if (thread == l->from_thread)
        return 'o';
    return thread > first && thread < last ? '|' : ' ';
}

static void put_thread(struct sca_lines *lines, const struct hand_over_picture *d, uint32_t row)
{
    const struct sca_contention_thread *t = &d->grid->threads[row];
    char name[64];
    snprintf(name, sizeof name, "rank %u, thread %u", t->rank, t->thread);
    sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "%-*s", NAME, name);
    for (uint32_t i = 0; i < d->shown; i++)
        sca_lines_add(lines, "%*c  ", CELL - 2, sign_of(&d->grid->links[i], row));
}

/* Enter on a place leads to its source. */
static void put_places(struct sca_lines *lines, const struct hand_over_picture *d, int width)
{
    char waited[16], kept[16];
    sca_lines_say(lines, SCA_HEADER, "Places: threads waited there, and for who had it from there");
    for (uint32_t p = 0; p < d->grid->nplaces; p++) {
        const struct sca_contention_place *at = &d->grid->places[p];
        const struct sca_report_vertex *v = &d->model->report->vertices[at->vertex];
        sca_lines_begin(lines, SCA_PLAIN, at->vertex);
        sca_lines_add(lines, "%c %9s %9s  ", letter_of(p), sca_label_seconds(at->waited_s, waited),
                      sca_label_seconds(at->kept_s, kept));
        sca_model_place(lines, v, 32);
        sca_lines_add(lines, " ");
        sca_model_label(lines, v, 20);
        sca_lines_add(lines, " in ");
        int room = width - sca_lines_width(lines) - 1;
        sca_model_function(lines, v, room > 8 ? room : 8);
    }
}

static void put_locks(struct sca_lines *lines, const struct hand_over_picture *d)
{
    const struct sca_report_contention *c = &d->model->report->contention;
    char waited[16];
    if (c->nlocks)
        sca_lines_say(lines, SCA_HEADER, "Locks: threads waited for them");
    for (uint32_t i = 0; i < c->nlocks && i < MOST_PLACES; i++) {
        sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
        sca_lines_add(lines, "  %9s  ", sca_label_seconds(c->locks[i].wait_s, waited));
        sca_lines_add(lines, "%s", c->locks[i].name);
    }
}

static void put_head(struct sca_pane *pane, const struct hand_over_picture *d)
{
    const struct sca_report_contention *c = &d->model->report->contention;
    char all[16], rest[16];
    sca_lines_say(&pane->lines, SCA_HEADER,
                  "Threads waited %s for locks: o has one, v or ^ waits for it; longest first",
                  sca_label_seconds(c->wait_s, all));
    if (d->shown < d->grid->nlinks || d->grid->threads_left_out)
        sca_lines_say(&pane->lines, SCA_DIM,
                      "%u of %u pairs of threads are shown: --view=locks --by=thread has all.",
                      d->shown, d->grid->nlinks + c->left_out);
    if (c->unknown_s > 0.01 * c->wait_s)
        sca_lines_say(&pane->lines, SCA_DIM, "Of %s it is not known between which threads.",
                      sca_label_seconds(c->unknown_s, rest));
}

static void draw(struct sca_pane *pane, const struct hand_over_picture *d, int width)
{
    put_head(pane, d);
    if (!d->shown)
        return;
    put_heads(&pane->lines, d);
    pane->fixed = pane->lines.count;
    for (uint32_t t = 0; t < d->grid->nthreads; t++)
        put_thread(&pane->lines, d, t);
    put_places(&pane->lines, d, width);
    put_locks(&pane->lines, d);
}

void sca_locks_pane(struct sca_pane *pane, const struct sca_model *model, int width)
{
    struct sca_contention_grid grid;
    if (!(model->report->contention.wait_s > 0)) {
        sca_lines_say(&pane->lines, SCA_PLAIN,
                      "No thread was seen to wait for a lock that another one had.");
        return;
    }
    if (sca_contention_grid_make(model->report, MOST_THREADS, MOST_PLACES, &grid))
        return;
    uint32_t room = width > NAME + CELL ? (uint32_t)(width - NAME) / CELL : 1;
    draw(pane, &(struct hand_over_picture){model, &grid, grid.nlinks < room ? grid.nlinks : room},
         width);
    sca_contention_grid_free(&grid);
}
