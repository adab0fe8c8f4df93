/*
 * Words of windows (prof/calls/word.h): whose looks in vain ended waits for who set the word last
 * before that, by the clocks of the run. As with locks of the program's own, the order is that of
 * the run.
 */
#ifndef SCA_DETECT_WORD_PAIRS_H
#define SCA_DETECT_WORD_PAIRS_H

#include "replay/message_pairs.h"

/* Kind of an input (links.h), beside enum sca_op_kind. */
enum { SCA_INPUT_WORD = SCA_OP_LOCK + 1 };

/* `items` in the workspace. */
void sca_word_pairs_find(struct sca_workspace *space, const struct sca_trace *trace,
                         struct sca_message_pairs *out);

#endif
