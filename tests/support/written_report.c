#include "written_report.h"
#include "sca_error.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void written_report_begin(char *path)
{
    strcpy(path + strlen(path) - strlen("XXXXXX"), "XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

char *written_report_text(struct sca_report *report, const char *path)
{
    static char text[1 << 20];
    ck_assert_int_eq(sca_report_write(report, path), SCA_OK);
    sca_report_free(report);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

int written_report_read_with(struct sca_report *report, const char *path, const char *behind,
                             const char *part, const char *other)
{
    struct sca_report *back = NULL;
    const char *text = written_report_text(report, path), *at = strstr(text, behind);
    at = at ? strstr(at, part) : NULL;
    ck_assert_msg(at != NULL, "%s", part);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, other, at + strlen(part));
    fclose(file);
    int status = sca_report_read(path, &back);
    sca_report_free(back);
    return status;
}
