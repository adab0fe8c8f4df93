/* All findings of an analysis: causes, what notes tell, what is not believed and why, and what
 * another finding tells better. */
#include "report/finding_phrase.h"
#include "report/notes.h"
#include "views/looking.h"

#include <math.h>
#include <string.h>

enum { NUMBER, WHAT, RATIO, EXCESS, GAIN, OUTCOME, WHY, OTHER, RANKS, EVIDENCE, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [NUMBER] = {"number", "#", SCA_CELL_COUNT},
    [WHAT] = {"category", "what", SCA_CELL_TEXT},
    [RATIO] = {"ratio", "ratio", SCA_CELL_RATIO},
    [EXCESS] = {"excess_core_s", "excess", SCA_CELL_SECONDS},
    [GAIN] = {"gain_core_s", "gain", SCA_CELL_SECONDS},
    [OUTCOME] = {"outcome", NULL, SCA_CELL_TEXT},
    [WHY] = {"why", NULL, SCA_CELL_TEXT},
    [OTHER] = {"other", NULL, SCA_CELL_COUNT}, /* the finding that `why` names */
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
    [EVIDENCE] = {"evidence", NULL, SCA_CELL_TEXT}, /* a sentence a line */
};

struct listing {
    const struct sca_view_input *in;
    const struct sca_analysis *c;
    struct sca_table *out;
};

/* ---- order ---- */

struct listed {
    const struct sca_finding *finding;
    enum sca_finding_group group;
    double weight;
};

static int by_group(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

/* Causes and notes by gain, the others by excess. */
static struct listed *list_all(const struct listing *l)
{
    const struct sca_ledger *ledger = &l->c->findings;
    struct listed *list = sca_workspace_alloc(l->in->space, ledger->count, sizeof *list);
    for (uint32_t i = 0; i < ledger->count; i++) {
        enum sca_finding_group group = sca_finding_phrase_group(&ledger->outcomes[i]);
        bool by_gain = group == SCA_FINDING_CAUSE || group == SCA_FINDING_NOTE;
        list[i] = (struct listed){ledger->all[i], group,
                                  by_gain ? l->c->prices[i].gain : ledger->all[i]->excess};
    }
    sca_workspace_put_in_order(l->in->space, list, ledger->count, sizeof *list, by_group);
    return list;
}

/* ---- a row ---- */

static struct sca_cell ranks_of(const struct listing *l, const struct sca_finding *f)
{
    double *ranks = sca_workspace_alloc(l->in->space, f->nranks, sizeof *ranks);
    for (uint32_t i = 0; i < f->nranks; i++)
        ranks[i] = f->ranks[i];
    return (struct sca_cell){.series = ranks, .count = f->nranks};
}

/* The text with one line more; a line without text adds none. */
static char *add_line(const struct listing *l, const char *text, const char *line)
{
    size_t before = strlen(text), after = strlen(line);
    char *longer = sca_workspace_alloc(l->in->space, before + after + 2, 1);
    memcpy(longer, text, before);
    if (before && after)
        longer[before++] = '\n';
    memcpy(longer + before, line, after + 1);
    return longer;
}

static const char *evidence_of(const struct listing *l, const struct sca_finding *f)
{
    char line[SCA_PHRASE];
    const char *text = add_line(l, "", sca_finding_phrase_interval(line, f));
    for (uint32_t i = 0; i < f->evidence.count; i++)
        text = add_line(l, text, sca_finding_phrase_evidence(line, l->c, &f->evidence.items[i]));
    return text;
}

static void add(const struct listing *l, const struct sca_finding *f, bool apart)
{
    const struct sca_outcome *o = &l->c->findings.outcomes[f->number];
    struct sca_row *row = sca_table_row(l->out, &l->in->ppg->vertices[f->vertex]);
    struct sca_cell *cells = row->cells;
    char why[SCA_PHRASE], where[SCA_FINDING_WHERE];
    uint32_t other = sca_finding_phrase_other(o);
    sca_finding_phrase_outcome(why, l->c, f);
    row->label = sca_table_text(l->out, "%s", sca_finding_phrase_where(where, l->c, f));
    row->interval = apart;
    row->bold = o->kind == SCA_OUTCOME_CAUSE;
    cells[NUMBER].number = f->number + 1;
    cells[WHAT].text = sca_finding_phrase_category_word(f);
    cells[RATIO].number = f->ratio > 0 ? f->ratio : NAN;
    cells[EXCESS].number = f->excess;
    cells[GAIN].number = f->number < l->c->ngains && l->c->prices[f->number].gain > 0
                             ? l->c->prices[f->number].gain
                             : NAN;
    cells[OUTCOME].text = sca_finding_phrase_outcome_word(o->kind);
    cells[WHY].text = sca_table_text(l->out, "%s", why);
    cells[OTHER].number = other != SCA_NONE ? other + 1.0 : NAN;
    cells[RANKS] = ranks_of(l, f);
    cells[EVIDENCE].text = evidence_of(l, f);
    row->detail = add_line(l, cells[WHY].text, cells[EVIDENCE].text);
}

/* ---- the table ---- */

/* They are not priced, and so not in the ledger. */
static void note_leavers(const struct listing *l)
{
    enum { MOST = 20 };
    const struct sca_report_behaviour *b = &l->c->report->behaviour;
    uint32_t most = l->in->top ? l->in->top : MOST;
    char text[SCA_PHRASE];
    for (uint32_t i = 0; i < b->nleavers && i < most; i++)
        sca_table_note(l->out, "%s", sca_notes_leaver(text, &b->leavers[i]));
    if (b->nleavers > most)
        sca_table_note(l->out, "%u more ranks left their class; --view=classes names them.",
                       b->nleavers - most);
}

static void fill(const struct listing *l)
{
    const struct sca_analysis *c = l->c;
    const struct listed *list = list_all(l);
    struct sca_table *out = l->out;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: all findings and their outcomes",
                                l->in->ppg->program, c->measures[c->last].nranks);
    for (uint32_t i = 0; i < c->findings.count; i++)
        if (l->in->top && i >= l->in->top)
            out->left_out++;
        else
            add(l, list[i].finding, i > 0 && list[i].group != list[i - 1].group);
    note_leavers(l);
    if (!c->findings.count && !c->report->behaviour.nleavers)
        sca_table_note(out, "No difference between ranks or runs was found.");
    if (c->findings.count)
        sca_table_note(
            out,
            "Excess: seconds of all its ranks beyond those of the other ranks, or of the smallest "
            "run. Gain: core-seconds saved; findings that were not replayed have none.");
}

static void list_findings(const struct sca_view_input *in, const struct sca_analysis *c,
                          struct sca_table *out)
{
    const struct listing l = {in, c, out};
    fill(&l);
}

void sca_view_findings(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, list_findings, out);
}
