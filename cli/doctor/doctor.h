/*
 * The verb `doctor`: what works on this machine and for a program, and what mends the rest.
 */
#ifndef SCA_CLI_DOCTOR_H
#define SCA_CLI_DOCTOR_H

#include "sca_options.h"

extern const struct sca_command sca_doctor_command;

int sca_doctor_main(int argc, char **argv);

#endif
