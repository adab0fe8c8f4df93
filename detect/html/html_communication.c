/* Who sends to whom: the matrix of bytes between blocks of ranks, and message sizes in classes. */
#include "html/html_parts.h"

#include <math.h>

enum { LEVELS = 6, SIDE = 448, WIDEST = 44, ROOM = 70, HEAD = 20, MOST_PAIRS = 100 };

static double most_of(const struct sca_report_communication *c)
{
    double most = 0;
    for (uint32_t i = 0; i < c->npairs; i++)
        most = fmax(most, c->pairs[i].bytes);
    return most;
}

static const char *name_of(char name[32], const struct sca_html *h, uint32_t block)
{
    const struct sca_report_communication *c = &h->r->communication;
    uint32_t first = block * c->block_ranks, last = first + c->block_ranks - 1;
    last = last < h->nranks ? last : h->nranks - 1;
    snprintf(name, 32, first == last ? "%u" : "%u-%u", first, last);
    return name;
}

/* Three figures, thousands as letters. */
static const char *figure(char text[32], double number)
{
    static const char letters[] = " kMGTP";
    int k = 0;
    for (; number >= 999.5 && k < 5; k++)
        number /= 1000;
    if (k)
        snprintf(text, 32, "%.3g %c", number, letters[k]);
    else
        snprintf(text, 32, "%.3g", number);
    return text;
}

/* ---- the picture ---- */

static void put_cell(const struct sca_html *h, const struct sca_report_pair *p, double most,
                     uint32_t wide)
{
    char from[32], to[32], messages[32], bytes[32];
    int level = most > 0 ? (int)(LEVELS * p->bytes / most) : 0;
    fprintf(h->out,
            "<rect class=\"m%d\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"><title>%s to %s: %s "
            "messages, %s bytes</title></rect>",
            level < LEVELS ? level : LEVELS - 1, ROOM + p->to * wide, HEAD + p->from * wide,
            wide - 1, wide - 1, name_of(from, h, p->from), name_of(to, h, p->to),
            figure(messages, p->messages), figure(bytes, p->bytes));
}

static void put_names(const struct sca_html *h, uint32_t wide)
{
    const struct sca_report_communication *c = &h->r->communication;
    char name[32];
    uint32_t every = c->nblocks > 16 ? 8 : 1;
    for (uint32_t i = 0; i < c->nblocks; i += every) {
        fprintf(h->out, "<text class=\"tick\" x=\"%u\" y=\"%d\">%u</text>",
                ROOM + i * wide + wide / 2, HEAD - 6, i * c->block_ranks);
        fprintf(h->out, "<text class=\"label\" x=\"%d\" y=\"%u\">%s</text>", ROOM - 6,
                HEAD + i * wide + wide / 2 + 4, name_of(name, h, i));
    }
}

static void put_picture(const struct sca_html *h)
{
    const struct sca_report_communication *c = &h->r->communication;
    uint32_t wide = SIDE / c->nblocks < WIDEST ? SIDE / c->nblocks : WIDEST;
    uint32_t side = c->nblocks * wide;
    double most = most_of(c);
    fprintf(h->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Communication "
            "matrix\"><svg role=\"img\" aria-labelledby=\"t-matrix\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\"><title id=\"t-matrix\">Matrix of bytes: a row for each sender, "
            "a column for each receiver</title><rect class=\"frame\" x=\"%d\" y=\"%d\" "
            "width=\"%u\" height=\"%u\"/>",
            ROOM + side + 2, HEAD + side + 2, ROOM + side + 2, HEAD + side + 2, ROOM - 1, HEAD - 1,
            side + 1, side + 1);
    put_names(h, wide);
    for (uint32_t i = 0; i < c->npairs; i++)
        put_cell(h, &c->pairs[i], most, wide);
    fputs("</svg></div>\n", h->out);
}

static void put_legend(const struct sca_html *h)
{
    static const char *const names[LEVELS] = {"under 1/6", "from 1/6", "from 2/6",
                                              "from 3/6",  "from 4/6", "from 5/6"};
    fputs("<ul class=\"legend\" aria-label=\"Colours: bytes as a share of the maximum\">", h->out);
    for (int i = 0; i < LEVELS; i++)
        fprintf(h->out, "<li><span class=\"key m%d\"></span>%s%s</li>", i, names[i],
                i ? "" : " of the maximum");
    fputs("</ul>\n", h->out);
}

/* ---- the numbers ---- */

static void put_pairs(const struct sca_html *h)
{
    const struct sca_report_communication *c = &h->r->communication;
    char name[32];
    uint32_t n = c->npairs < MOST_PAIRS ? c->npairs : MOST_PAIRS;
    fputs("<details><summary>Numbers</summary>", h->out);
    sca_html_table(h,
                   n < c->npairs ? "The first pairs; --view=communication has all"
                                 : "Messages and bytes by sender and receiver",
                   "#From|#To|#Messages|#Bytes", true);
    for (uint32_t i = 0; i < n; i++) {
        fputs("<tr>", h->out);
        sca_html_cell(h, name_of(name, h, c->pairs[i].from));
        sca_html_cell(h, name_of(name, h, c->pairs[i].to));
        sca_html_number(h, "%.0f", c->pairs[i].messages);
        sca_html_number(h, "%.0f", c->pairs[i].bytes);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    fputs("</details>\n", h->out);
}

static void put_sizes(const struct sca_html *h)
{
    const struct sca_report_communication *c = &h->r->communication;
    char text[48], from[32];
    if (!c->nsizes)
        return;
    sca_html_table(h, "Sizes of messages and collectives, in bytes",
                   "Size|#Messages|#Collective calls", false);
    for (uint32_t i = 0; i < c->nsizes; i++) {
        snprintf(text, sizeof text, c->sizes[i].from_bytes > 0 ? "from %s" : "empty",
                 figure(from, c->sizes[i].from_bytes));
        fputs("<tr>", h->out);
        sca_html_cell(h, text);
        sca_html_number(h, "%.0f", c->sizes[i].messages);
        sca_html_number(h, "%.0f", c->sizes[i].collectives);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
}

static void put_remarks(const struct sca_html *h)
{
    const struct sca_report_communication *c = &h->r->communication;
    char calls[32], bytes[32];
    if (c->collective_calls > 0)
        sca_html_say(h,
                     " Collectives are not in the matrix: ranks called them %s times, with %s "
                     "bytes.",
                     figure(calls, c->collective_calls), figure(bytes, c->collective_bytes));
    if (c->not_in_pairs > 0)
        sca_html_say(h, " %s messages have a partner of another world, or an unknown one.",
                     figure(calls, c->not_in_pairs));
}

void sca_html_communication(const struct sca_html *h)
{
    const struct sca_report_communication *c = &h->r->communication;
    if (!c->nblocks)
        return;
    fprintf(h->out, "<section id=\"communication\" aria-labelledby=\"h-communication\"><h2 "
                    "id=\"h-communication\">Communication</h2>\n<figure><figcaption>");
    if (c->npairs)
        sca_html_say(h, "Bytes that ranks of the largest run sent to each other%s.",
                     c->block_ranks > 1 ? ", by blocks of ranks" : "");
    else
        sca_html_say(h, "No rank sent a message to another one.");
    put_remarks(h);
    fputs("</figcaption>\n", h->out);
    if (c->npairs) {
        put_legend(h);
        put_picture(h);
        put_pairs(h);
    }
    put_sizes(h);
    fputs("</figure></section>\n", h->out);
}
