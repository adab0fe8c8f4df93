#include "html/html.h"
#include "report/hosts.h"
#include "html/html_explorer.h"
#include "html/html_parts.h"
#include "sca_timelines.h"
#include "sca_replace.h"
#include "sca_error.h"
#include "sca_phrase.h"

#include <string.h>

static void put_head(const struct sca_html *h)
{
    fprintf(h->out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; "
            "form-action 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n<title>",
            sca_html_style_hash, sca_html_script_hash);
    sca_html_say(h, "%s: scaling report", h->r->program);
    fprintf(h->out, "</title>\n<style>%s</style>\n</head>\n<body>\n", sca_html_style);
}

static void put_title(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    char text[SCA_PHRASE], runs[64] = "";
    fputs("<a class=\"skip\" href=\"#main\">Skip to the verdict</a>\n<header><h1>", h->out);
    sca_html_text(h, r->program);
    fputs("</h1>\n<p>on ", h->out);
    if (sca_phrase_sizes(text, r) < r->nruns)
        snprintf(runs, sizeof runs, " (%u runs)", r->nruns);
    sca_html_say(h, "%s rank%s%s", text, h->nranks == 1 ? "" : "s", runs);
    if (sca_phrase_scaling(text, r)[0])
        sca_html_say(h, ", %s", text);
    fputs("</p>", h->out);
    if (sca_hosts_phrase(text, h->run)[0]) {
        fputs("\n<p>", h->out);
        sca_html_text(h, text);
        fputs("</p>", h->out);
    }
    fputs("</header>\n", h->out);
}

static void put_contents(const struct sca_html *h)
{
    static const char *const links[][2] = {
        {"verdict", "Verdict"},   {"account", "Account"},     {"causes", "Causes"},
        {"advice", "Advice"},     {"behaviour", "Behaviour"}, {"series", "Over time"},
        {"timeline", "Timeline"}, {"explorer", "Explorer"},   {"graph", "Graph"},
        {"curves", "Scaling"},    {"heat", "Ranks"},          {"communication", "Communication"},
        {"locks", "Locks"},       {"tables", "Tables"},
    };
    fputs("<nav aria-label=\"Sections\"><ul>", h->out);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if ((h->r->ncauses || strcmp(links[i][0], "causes")) &&
            (h->r->nadvice || strcmp(links[i][0], "advice")) &&
            (h->r->behaviour.nclasses || strcmp(links[i][0], "behaviour")) &&
            (h->r->series.nloops || h->r->series.nphases || strcmp(links[i][0], "series")) &&
            ((h->r->timelines && h->r->timelines->count) || strcmp(links[i][0], "timeline")) &&
            (h->r->communication.nblocks || strcmp(links[i][0], "communication")) &&
            (h->r->contention.wait_s > 0 || strcmp(links[i][0], "locks")))
            fprintf(h->out, "<li><a href=\"#%s\">%s</a></li>", links[i][0], links[i][1]);
    fputs("</ul></nav>\n", h->out);
}

/* What the largest run noted of itself. */
static void put_meta(const struct sca_html *h)
{
    for (uint32_t i = 0; i < h->run->nmeta; i++) {
        fputs(i ? "<br>" : "<p>", h->out);
        sca_html_say(h, "%s: %s", h->run->meta[i].key, h->run->meta[i].value);
    }
    if (h->run->nmeta)
        fputs("</p>\n", h->out);
}

static void put_foot(const struct sca_html *h)
{
    fputs("</main>\n<footer><p>ScalAna " SCA_VERSION, h->out);
    if (h->r->path[0])
        sca_html_say(h, ". Program %s", h->r->path);
    if (h->r->build_id[0])
        sca_html_say(h, ", build-id %s", h->r->build_id);
    fputs(".</p>\n", h->out);
    put_meta(h);
    fprintf(h->out, "</footer>\n<script>%s</script>\n</body>\n</html>\n", sca_html_script);
}

static int write_page(FILE *out, const void *context)
{
    struct sca_html h;
    int status = sca_html_open(&h, context, out);
    if (status == SCA_OK) {
        put_head(&h);
        put_title(&h);
        put_contents(&h);
        fputs("<main id=\"main\">\n", out);
        sca_html_summary(&h);
        sca_html_verdict(&h);
        sca_html_account(&h);
        sca_html_causes(&h);
        sca_html_advice(&h);
        sca_html_behaviour(&h);
        sca_html_series(&h);
        sca_html_timeline(&h);
        status = sca_html_explorer(&h);
    }
    if (status == SCA_OK)
        status = sca_html_graph(&h);
    if (status == SCA_OK) {
        sca_html_curves(&h);
        status = sca_html_heat(&h);
    }
    if (status == SCA_OK) {
        sca_html_communication(&h);
        status = sca_html_locks(&h);
    }
    if (status == SCA_OK) {
        sca_html_tables(&h);
        put_foot(&h);
    }
    sca_html_close(&h);
    return status;
}

int sca_html_write(const struct sca_report *report, const char *path)
{
    return sca_replace_file(path, write_page, report);
}
