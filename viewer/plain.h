/* The list of causes as plain text, for when the output is no terminal. */
#ifndef SCA_PLAIN_H
#define SCA_PLAIN_H

#include "view.h"

void sca_plain_list(const struct sca_view *view, struct sca_lines *lines);

#endif
