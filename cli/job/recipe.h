/*
 * Recipes for services that test each change: build, run, compare with the main branch, badge.
 */
#ifndef SCA_CLI_RECIPE_H
#define SCA_CLI_RECIPE_H

#include "plan/settings.h"

/* Prints the one that settings->ci names. */
void sca_recipe_print(const struct sca_run_settings *settings);

#endif
