#include "views/matrix.h"
#include "text/lines.h"
#include "sca_phrase.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = 8, SIGNS = 6, LABEL = 11 }; /* ranks up to which cells are numbers */

static const char signs[] = ".'+*#@";

/* Ranks of a block: "12" or "12-15". */
static const char *name_of(char name[LABEL * 2], const struct sca_matrix *m, uint32_t block)
{
    uint32_t first = block * m->blocks.ranks, last = first + m->blocks.ranks - 1;
    last = last < m->pairs.nranks ? last : m->pairs.nranks - 1;
    snprintf(name, LABEL * 2, first == last ? "%u" : "%u-%u", first, last);
    return name;
}

static double most_of(const struct sca_matrix *m)
{
    double most = 0;
    for (uint32_t i = 0; i < m->blocks.count * m->blocks.count; i++)
        most = fmax(most, m->blocks.bytes[i]);
    return most;
}

static char sign_of(double bytes, double messages, double most)
{
    if (messages <= 0)
        return ' ';
    int sign = most > 0 ? (int)(SIGNS * bytes / most) : 0;
    return signs[sign < SIGNS ? sign : SIGNS - 1];
}

static void put_signs(FILE *out, const struct sca_matrix *m, uint32_t line)
{
    double most = most_of(m);
    for (uint32_t c = 0; c < m->blocks.count; c++) {
        size_t at = (size_t)line * m->blocks.count + c;
        fputc(sign_of(m->blocks.bytes[at], m->blocks.messages[at], most), out);
    }
    fputs("|\n", out);
}

static void put_numbers(FILE *out, const struct sca_matrix *m, uint32_t line)
{
    char figure[SCA_FIGURE];
    for (uint32_t c = 0; c < m->blocks.count; c++) {
        size_t at = (size_t)line * m->blocks.count + c;
        fprintf(out, "%8s",
                m->blocks.messages[at] > 0 ? sca_table_figure(figure, m->blocks.bytes[at]) : ".");
    }
    fputc('\n', out);
}

/* Every eighth column by the number of its first rank. */
static void put_head(FILE *out, const struct sca_matrix *m, bool numbers)
{
    char name[LABEL * 2];
    fprintf(out, "%*s ", LABEL, "from \\ to");
    if (numbers)
        for (uint32_t c = 0; c < m->blocks.count; c++)
            fprintf(out, "%8u", c);
    else
        for (uint32_t c = 0; c < m->blocks.count; c += NUMBERS) {
            snprintf(name, sizeof name, "%u", c * m->blocks.ranks);
            fprintf(out, c + NUMBERS < m->blocks.count ? "%-*s" : "%.*s", NUMBERS, name);
        }
    fputc('\n', out);
}

void sca_matrix_draw(FILE *out, const struct sca_table *table, bool colour)
{
    const struct sca_matrix *m = table->drawing;
    const struct sca_page page = {out, colour};
    bool numbers = m->pairs.nranks <= NUMBERS;
    char name[LABEL * 2], figure[SCA_FIGURE];
    fputc('\n', out);
    put_head(out, m, numbers);
    for (uint32_t line = 0; line < m->blocks.count; line++) {
        fprintf(out, "%*s%c", LABEL, name_of(name, m, line), numbers ? ' ' : '|');
        (numbers ? put_numbers : put_signs)(out, m, line);
    }
    fputc('\n', out);
    if (numbers)
        sca_lines_page_wrap(&page, 0, 2, SCA_INK_DIM, SCA_PHRASE, "Bytes; \".\": no message.");
    else
        sca_lines_page_wrap(&page, 0, 2, SCA_INK_DIM, SCA_PHRASE,
                            "Bytes as a share of the maximum, %s: . less than 1/6, ' from 1/6, + "
                            "from 2/6, * from 3/6, # from 4/6, @ from 5/6. Blank: no message.%s",
                            sca_table_figure(figure, most_of(m)),
                            m->blocks.ranks > 1 ? " A sign is the sum of a block of ranks." : "");
    sca_table_put_rows(out, table, colour);
}
