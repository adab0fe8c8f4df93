/* Texts in pictures: escaped for XML and dot, and what figures say. */
#ifndef SCA_DETECT_PICTURE_TEXT_H
#define SCA_DETECT_PICTURE_TEXT_H

#include "pictures/picture.h"

#include <stdio.h>

/* Valid UTF-8 without control characters; what XML or dot would read as more than text is escaped.
 */
void sca_picture_put_xml(FILE *out, const char *text);
void sca_picture_put_dot(FILE *out, const char *text);
/* "41 %", "4.1 %", "under 0.1 %", "". */
const char *sca_picture_percent(char out[16], double share);
/* "1203", "1.2e+06". */
const char *sca_picture_number(char out[16], double number);
/* A line for each figure that is known: what a reader sees who points at it. */
void sca_picture_describe_node(FILE *out, const struct sca_picture_node *n);
void sca_picture_describe_edge(FILE *out, const struct sca_picture *p,
                               const struct sca_picture_edge *e);

#endif
