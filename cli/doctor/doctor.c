#include "doctor/doctor.h"
#include "doctor/check.h"
#include "sca_error.h"
#include "sca_words.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doctor_choice {
    bool json;
    const char *root;
};

static int set_json(void *context, const char *value)
{
    (void)value;
    ((struct doctor_choice *)context)->json = true;
    return SCA_OK;
}

static int set_root(void *context, const char *value)
{
    ((struct doctor_choice *)context)->root = value;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "json",
     .help = "findings as JSON",
     .set = set_json,
     .detail = "One object: schema, blind, and findings with name, state (works, lacks, blind), "
               "text and mend."},
    {.name = "root",
     .argument = "DIR",
     .help = "read the system's files (/proc, /sys, /usr) below DIR",
     .set = set_root,
     .detail = "For the settings of another machine or image that is mounted there."},
    {0}};

const struct sca_command sca_doctor_command = {
    .name = "scalana doctor",
    .usage = "scalana doctor [OPTION]... [PROGRAM]",
    .summary = "Lists what works here, what a run will lack, and the command that fixes it. The "
               "exit status is 1 if a run would record nothing.",
    .options = options,
    .operand = ".file"};

static const char *const states[] = {"works", "lacks", "blind"};

static int fail(int exit_status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return exit_status;
}

static void print_text(const struct sca_checks *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct sca_check *check = &c->items[i];
        printf("%-5s  %-12s  %s\n",
               check->state == SCA_CHECK_BLIND ? "BLIND" : states[check->state], check->name,
               check->text);
        if (*check->mend)
            printf("%*s-> %s\n", 21, "", check->mend);
    }
    puts(sca_checks_blind(c) ? "A run would record nothing: fix the lines marked BLIND."
                             : "Runs can be recorded.");
}

static void print_json(const struct sca_checks *c)
{
    cJSON *object = sca_must(cJSON_CreateObject());
    cJSON_AddStringToObject(object, "schema", "scalana-doctor/1");
    cJSON_AddBoolToObject(object, "blind", sca_checks_blind(c));
    cJSON *findings = sca_must(cJSON_AddArrayToObject(object, "findings"));
    for (size_t i = 0; i < c->count; i++) {
        cJSON *finding = sca_must(cJSON_CreateObject());
        cJSON_AddStringToObject(finding, "name", c->items[i].name);
        cJSON_AddStringToObject(finding, "state", states[c->items[i].state]);
        cJSON_AddStringToObject(finding, "text", c->items[i].text);
        cJSON_AddStringToObject(finding, "mend", c->items[i].mend);
        cJSON_AddItemToArray(findings, finding);
    }
    char *text = sca_must(cJSON_Print(object));
    puts(text);
    cJSON_free(text);
    cJSON_Delete(object);
}

static int examine(const struct doctor_choice *choice, const struct sca_target *target)
{
    struct sca_checks checks = {.root = choice->root ? choice->root : ""};
    sca_check_build(&checks);
    sca_check_mpi(&checks, target);
    sca_check_kernel(&checks);
    sca_check_place(&checks);
    if (target)
        sca_check_program(&checks, target);
    if (choice->json)
        print_json(&checks);
    else
        print_text(&checks);
    int result = sca_checks_blind(&checks) ? SCA_EXIT_FAILED : SCA_EXIT_OK;
    sca_checks_free(&checks);
    return result;
}

int sca_doctor_main(int argc, char **argv)
{
    struct doctor_choice choice = {0};
    struct sca_target target;
    int operands = 0;
    int status = sca_options_parse(&sca_doctor_command, &choice, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status == SCA_OK && operands > 1)
        status = sca_fail(SCA_EINVAL, "give one program (usage: %s)", sca_doctor_command.usage);
    if (status != SCA_OK)
        return fail(SCA_EXIT_USAGE);
    if (!operands)
        return examine(&choice, NULL);
    status = sca_target_look(argv[1], &target);
    int result = status == SCA_OK ? examine(&choice, &target) : fail(SCA_EXIT_USAGE);
    sca_target_free(&target);
    return result;
}
