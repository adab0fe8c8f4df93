/*
 * Where this installation lies: everything is found from the running program, so that it may be
 * moved. Texts are the caller's to free.
 */
#ifndef SCA_CLI_INSTALLATION_H
#define SCA_CLI_INSTALLATION_H

/* PREFIX/NAME, whether it is there or not. */
char *sca_installation_path(const char *name);
/* A command of this installation, beside this one; NULL with a message: it is not there. */
char *sca_installation_command(const char *name);

#endif
