/*
 * From what the user names to the files that the old commands take. Texts are the caller's.
 */
#ifndef SCA_CLI_OPERAND_H
#define SCA_CLI_OPERAND_H

/* The file of that name in a result; `operand` itself if it is a file; of the newest result if it
 * is NULL. NULL with a message that says what to do: there is none. */
char *sca_operand_file(const char *operand, const char *name);
/* A result folder as it is named, or the newest for NULL. NULL with a message: there is none. */
char *sca_operand_folder(const char *operand);

#endif
