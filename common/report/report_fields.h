/*
 * Typed, checked access to the fields of a report's JSON, for common/report/report_read.c alone.
 *
 * Sticky: the first fault sets in->status and the message (file and field); later reads give
 * defaults, so that a whole record is read and checked once. An absent or null field takes its
 * default. Strings and arrays live in the report's arena.
 */
#ifndef SCA_REPORT_FIELDS_H
#define SCA_REPORT_FIELDS_H

#include "sca_report.h"

#include <cjson/cJSON.h>

#define SCA_NOT_A_REPORT "%s: not a ScalAna report: "

struct sca_in {
    const char *file;
    struct sca_report *report;
    char where[96]; /* the list elements being read: "root_causes[3].path[2]." */
    int status;
};

typedef void sca_in_element(struct sca_in *in, const cJSON *object, void *out, uint32_t index);

void sca_report_fields_fault(struct sca_in *in, const char *name, const char *what);
/* The field, or NULL if it is absent, null, or not of the cJSON types in `type` (a fault). */
const cJSON *sca_report_fields_get(struct sca_in *in, const cJSON *object, const char *name,
                                   int type);
/* NAN where there is none, or null. */
double sca_report_fields_measured(struct sca_in *in, const cJSON *object, const char *name);
double sca_report_fields_double(struct sca_in *in, const cJSON *object, const char *name);
uint32_t sca_report_fields_u32(struct sca_in *in, const cJSON *object, const char *name,
                               uint32_t fallback);
/* A reference that must be there and point into a table of `limit` entries. */
uint32_t sca_report_fields_index(struct sca_in *in, const cJSON *object, const char *name,
                                 uint32_t limit);
bool sca_report_fields_bool(struct sca_in *in, const cJSON *object, const char *name,
                            bool fallback);
const char *sca_report_fields_string(struct sca_in *in, const cJSON *object, const char *name,
                                     const char *fallback);
double *sca_report_fields_doubles(struct sca_in *in, const cJSON *object, const char *name,
                                  uint32_t *count);
/* The field "ranks": each below `limit`. NULL where there is none; a list of none is a list. */
uint32_t *sca_report_fields_ranks(struct sca_in *in, const cJSON *object, uint32_t limit,
                                  uint32_t *count);
const char **sca_report_fields_strings(struct sca_in *in, const cJSON *object, const char *name,
                                       uint32_t *count);
/* A list of `n` numbers, none below 0; false: it is none. */
bool sca_report_fields_row(const cJSON *from, double *numbers, int n);
/* Reads an array of objects, each `size` bytes with `read`, keeping `where` up to date. */
void *sca_report_fields_list(struct sca_in *in, const cJSON *parent, const char *name, size_t size,
                             sca_in_element *read, uint32_t *count);

#endif
