/*
 * The verb `run`: sizes one after the other, then the verdict.
 */
#ifndef SCA_CLI_RUN_H
#define SCA_CLI_RUN_H

int sca_run_main(int argc, char **argv);

#endif
