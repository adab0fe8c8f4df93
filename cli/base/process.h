/*
 * Other commands: run beside this process, run for their output, or become one. Commands are
 * NULL-terminated words. Exit statuses are a shell's: 128 + n for signal n, 127 where there is no
 * such program, 126 where it cannot be run.
 */
#ifndef SCA_CLI_PROCESS_H
#define SCA_CLI_PROCESS_H

/* Runs a command on this process's own input and output, and waits for its end. What is sent to
 * this process meanwhile (SIGINT, SIGTERM, SIGHUP, SIGQUIT) goes to the command, unless the
 * terminal has sent it to both; *signal says which came, 0: none. Its exit status. */
int sca_process_run(char *const *command, int *signal);

/* What it prints, standard error too if `errors`, in memory of the caller's; "" at least. Its
 * standard input is empty. */
char *sca_process_output(char *const *command, int errors, int *status);

/* Becomes the command: returns the exit status only if that is not possible, after one line. */
int sca_process_become(char *const *command);

/* A word as a shell reads it back, in memory of the caller's. */
char *sca_process_quote(const char *word);

#endif
