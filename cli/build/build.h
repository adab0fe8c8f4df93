/*
 * The verb `build`: any build command, with ScalAna's compilers for the usual ones.
 */
#ifndef SCA_CLI_BUILD_H
#define SCA_CLI_BUILD_H

#include "sca_options.h"

extern const struct sca_command sca_build_command;

int sca_build_main(int argc, char **argv);

#endif
