#include "html/html_page.h"
#include "report/report_text.h"
#include "sca_error.h"
#include "sca_phrase.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

size_t sca_html_decode(const char *text, uint32_t *code)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t length = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
    *code = length == 1 ? *p : *p & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        *code = *code << 6 | (p[i] & 0x3fu);
    return length;
}

/* Characters that could reorder or hide what stands beside them. */
static bool is_hidden(uint32_t code)
{
    return (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c || code == 0xfeff ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || (code >= 0xfff9 && code <= 0xfffb) ||
           (code & 0xfffe) == 0xfffe || code >= 0xe0000;
}

static void put_character(FILE *out, const char *p, size_t length, uint32_t code)
{
    const char *entity = code == '<'    ? "&lt;"
                         : code == '>'  ? "&gt;"
                         : code == '&'  ? "&amp;"
                         : code == '"'  ? "&quot;"
                         : code == '\'' ? "&#39;"
                                        : NULL;
    if (entity)
        fputs(entity, out);
    else if (code < 0x20 && code != '\t')
        fprintf(out, "&#x24%02x;", code); /* the picture of the control character */
    else if (is_hidden(code))
        fprintf(out, "&lt;U+%04X&gt;", code);
    else
        fwrite(p, 1, length, out);
}

/* Writes characters from `first` up to `end` of valid text. */
static void put_range(FILE *out, const char *text, size_t first, size_t end)
{
    uint32_t code;
    for (size_t i = 0; *text && i < end; i++) {
        size_t length = sca_html_decode(text, &code);
        if (i >= first)
            put_character(out, text, length, code);
        text += length;
    }
}

static size_t count_characters(const char *text)
{
    size_t n = 0;
    for (uint32_t code; *text; n++)
        text += sca_html_decode(text, &code);
    return n;
}

void sca_html_short(const struct sca_html *h, const char *text, size_t most)
{
    char *repaired = sca_utf8_valid(text) ? NULL : sca_utf8_repair(text);
    const char *valid = repaired ? repaired : sca_utf8_valid(text) ? text : "?";
    size_t n = count_characters(valid);
    if (n <= most) {
        put_range(h->out, valid, 0, n);
    } else {
        put_range(h->out, valid, 0, most / 2);
        fputs("\xe2\x80\xa6", h->out);
        put_range(h->out, valid, n - (most - most / 2 - 1), n);
    }
    free(repaired);
}

void sca_html_text(const struct sca_html *h, const char *text)
{
    sca_html_short(h, text, SIZE_MAX);
}

void sca_html_say(const struct sca_html *h, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return;
    sca_html_text(h, text);
    free(text);
}

static void put_header_cell(const struct sca_html *h, const char *name, size_t length)
{
    bool number = *name == '#';
    fprintf(h->out, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
    sca_html_say(h, "%.*s", (int)(length - number), name + number);
    fputs("</th>", h->out);
}

void sca_html_table(const struct sca_html *h, const char *caption, const char *columns,
                    bool sortable)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", h->out);
    sca_html_text(h, caption);
    fprintf(h->out, "\"><table%s><caption>", sortable ? " class=\"sortable\"" : "");
    sca_html_text(h, caption);
    fputs("</caption><thead><tr>", h->out);
    for (const char *p = columns; *p;) {
        size_t length = strcspn(p, "|");
        put_header_cell(h, p, length);
        p += length + (p[length] == '|');
    }
    fputs("</tr></thead><tbody>\n", h->out);
}

void sca_html_table_end(const struct sca_html *h)
{
    fputs("</tbody></table></div>\n", h->out);
}

void sca_html_cell(const struct sca_html *h, const char *text)
{
    fputs("<td>", h->out);
    sca_html_short(h, text, 120);
    fputs("</td>", h->out);
}

void sca_html_number(const struct sca_html *h, const char *format, double value)
{
    fputs("<td class=\"n\">", h->out);
    fprintf(h->out, format, value);
    fputs("</td>", h->out);
}

void sca_html_rank(const struct sca_html *h, uint32_t rank)
{
    char place[SCA_PHRASE];
    sca_phrase_rank_place(place, h->run, rank);
    fprintf(h->out, "<td class=\"n\">%u%s%s</td>", rank, *place ? " " : "", place);
}
