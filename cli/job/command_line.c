#include "job/command_line.h"
#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>

static void put(FILE *out, const char *word)
{
    char *quoted = sca_process_quote(word);
    fprintf(out, " %s", quoted);
    free(quoted);
}

static void put_option(FILE *out, const char *name, const char *value)
{
    if (!value)
        return;
    char *word = sca_words_format("--%s=%s", name, value);
    put(out, word);
    free(word);
}

char *sca_command_line(const struct sca_run_settings *s, const char *scalana, const char *output)
{
    char *text = NULL, *program = sca_process_quote(scalana);
    size_t size = 0;
    FILE *out = sca_must(open_memstream(&text, &size));
    fprintf(out, "%s run", program);
    put_option(out, "ranks", s->ranks);
    put_option(out, "threads", s->threads_told);
    if (s->again)
        fprintf(out, " --again=%lu", s->again);
    put_option(out, "output", output ? output : s->output);
    put_option(out, "launcher", s->launcher);
    put_option(out, "work", s->work);
    put_option(out, "fail-above", s->fail_above);
    for (size_t i = 0; i < s->meta.count; i++)
        put_option(out, "meta", s->meta.list[i]);
    fputs(" --", out);
    for (char **word = s->command; *word; word++)
        put(out, *word);
    fclose(out);
    free(program);
    return sca_must(text);
}
