/* The text says from a report alone what the page and the viewer say. */
#include "sample_report.h"
#include "text/report_text.h"
#include "check_main.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sca_settings settings = {.top = SCA_TOP_USUAL};

/* With single spaces, as if it had not been broken into lines. free() it. */
static char *text_of(struct sca_report *report)
{
    char *text = NULL;
    size_t size, kept = 0;
    struct sca_verdict verdict = {.report = report};
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_text_print(out, &verdict, &settings, false), 0);
    fclose(out);
    for (size_t i = 0; i < size; i++)
        if (!isspace((unsigned char)text[i]) || (kept && text[kept - 1] != ' '))
            text[kept++] = isspace((unsigned char)text[i]) ? ' ' : text[i];
    text[kept] = '\0';
    sca_report_free(report);
    return text;
}

static void has(char *text, const char *words)
{
    ck_assert_msg(strstr(text, words), "not in the text: %s", words);
}

START_TEST(without_a_cause_it_says_above_what)
{
    char *text = text_of(sca_sample_healthy());
    has(text, "No cause of scaling loss found above 2 % of ranks x wall. On 8 ranks parallel "
              "efficiency is 0.70 (load balance 0.75, communication 0.93). That is low: mostly "
              "waiting, at healthy.c:44 MPI_Allreduce in conj_grad.");
    free(text);
}
END_TEST

START_TEST(it_says_what_the_others_have_of_a_cause)
{
    char *text = text_of(sca_sample_cg("/nowhere/cg.c"));
    has(text, "cg.c:24 loop in conj_grad, rank 4 (on nodeB): 3.1x the other ranks; other ranks "
              "wait 13.7");
    has(text, "cg.c:62 code in main, rank 0 (on node<A>): only on this rank; other ranks wait");
    free(text);
}
END_TEST

START_TEST(phases_have_load_balance_and_efficiency)
{
    struct sca_report *report = sca_sample_healthy();
    struct sca_report_series_phase *phases = sca_report_alloc(report, 2 * sizeof *phases);
    phases[0] = (struct sca_report_series_phase){.name = "solve",
                                                 .parent = UINT32_MAX,
                                                 .count = 1,
                                                 .span_s = 4,
                                                 .own_mean_s = 2,
                                                 .mpi_mean_s = 1.5,
                                                 .load_balance = 0.8,
                                                 .parallel = 0.5,
                                                 .serialisation = 0.7,
                                                 .transfer = 0.9};
    phases[1] = (struct sca_report_series_phase){.name = "output",
                                                 .count = 8,
                                                 .span_s = 0.25,
                                                 .load_balance = 0.9,
                                                 .parallel = NAN,
                                                 .serialisation = NAN,
                                                 .transfer = NAN};
    report->series.nphases = 2;
    report->series.phases = phases;
    char *text = text_of(report);
    has(text, "phase times took own in MPI parallel balance serial. transfer");
    has(text,
        "solve 1 4.00 2.00 1.50 0.50 0.80 0.70 0.90 output 8 0.250 0.000 0.000 n/a 0.90 n/a n/a");
    free(text);
}
END_TEST

SCA_SUITE("text", without_a_cause_it_says_above_what, it_says_what_the_others_have_of_a_cause,
          phases_have_load_balance_and_efficiency)
