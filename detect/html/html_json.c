/* JSON within a script element of the page. */
#include "html/html_explorer.h"
#include "report/report_text.h"

#include <math.h>
#include <stdlib.h>

/* In ASCII: whatever could hide or reorder what stands beside it has no place in the file. */
static void put_escaped(FILE *out, uint32_t code)
{
    enum { FIRST_PAIR = 0x10000, HIGH = 0xd800, LOW = 0xdc00, BITS = 10 };
    if (code == '"' || code == '\\')
        fprintf(out, "\\%c", (int)code);
    else if (code >= FIRST_PAIR)
        fprintf(out, "\\u%04x\\u%04x", HIGH + ((code - FIRST_PAIR) >> BITS),
                LOW + ((code - FIRST_PAIR) & ((1u << BITS) - 1)));
    else if (code < 0x20 || code >= 0x7f || code == '<' || code == '>' || code == '&')
        fprintf(out, "\\u%04x", code);
    else
        putc((int)code, out);
}

void sca_html_json_text(const struct sca_html *h, const char *text)
{
    char *repaired = sca_utf8_valid(text) ? NULL : sca_utf8_repair(text);
    const char *valid = repaired ? repaired : sca_utf8_valid(text) ? text : "?";
    putc('"', h->out);
    for (uint32_t code; *valid; put_escaped(h->out, code))
        valid += sca_html_decode(valid, &code);
    putc('"', h->out);
    free(repaired);
}

void sca_html_json_number(const struct sca_html *h, double value, int digits)
{
    if (isfinite(value))
        fprintf(h->out, "%.*g", digits, value);
    else
        fputs("null", h->out);
}

void sca_html_json_numbers(const struct sca_html *h, const double *values, uint32_t n, int digits)
{
    putc('[', h->out);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            putc(',', h->out);
        sca_html_json_number(h, values[i], digits);
    }
    putc(']', h->out);
}

void sca_html_json_ranks(const struct sca_html *h, const uint32_t *ranks, uint32_t n)
{
    putc('[', h->out);
    for (uint32_t i = 0; i < n; i++)
        fprintf(h->out, "%s%u", i ? "," : "", ranks[i]);
    putc(']', h->out);
}
