/*
 * The secret that the front and its collectors share: random bytes in a file that only its user can
 * read. Whoever has it belongs to the same user, or to root.
 */
#ifndef SCA_LIVE_TOKEN_H
#define SCA_LIVE_TOKEN_H

#include "net/hmac.h"

enum { SCA_TOKEN_BYTES = SCA_HMAC_BYTES, SCA_TOKEN_TEXT = 2 * SCA_TOKEN_BYTES + 1 };

struct sca_token {
    uint8_t bytes[SCA_TOKEN_BYTES];
};

/* SCA_EIO: the system has no random bytes. */
int sca_token_make(struct sca_token *out);
/* Writes it to a new file in the user's cache, mode 0600; its path is the caller's to free, who
 * removes the file. NULL with a message. */
char *sca_token_keep(const struct sca_token *token);
/* Hex digits and a newline, to a pipe. */
int sca_token_send(const struct sca_token *token, int fd);
/* Of a file, or "-" for standard input. A file of somebody else, or that others may read, is
 * refused: SCA_EINVAL, SCA_EIO, SCA_EFORMAT. */
int sca_token_read(const char *path, struct sca_token *out);

#endif
