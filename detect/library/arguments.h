/*
 * Arguments as they come from anybody: checked before they are used. Each check returns SCA_OK, or
 * SCA_EINVAL with a message.
 */
#ifndef SCA_LIBRARY_ARGUMENTS_H
#define SCA_LIBRARY_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

/* `what`: the argument's name. */
int sca_arguments_there(const void *argument, const char *what);

/* Is `i` one of `n`? `what`: of which kind, "run". */
int sca_arguments_index(uint32_t i, uint32_t n, const char *what);

/* Are all of first ... first + count - 1? `what`: of which kind, many: "runs". */
int sca_arguments_range(uint32_t first, uint32_t count, uint32_t n, const char *what);

#endif
