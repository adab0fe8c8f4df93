/* Descriptors that the library opens in the program. Also in a handler. */
#ifndef SCA_PROF_DESCRIPTOR_H
#define SCA_PROF_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A program may count on the number that its next open() gets: the same, under a high number; as
 * it is where that cannot be. */
int sca_descriptor_move(int fd);

/* read() and fcntl() of the kernel: the functions of that name are interposed, for the program's
 * sake (outside/). The argument of fcntl() is an integer or an address. */
ssize_t sca_descriptor_read(int fd, void *to, size_t size);
int sca_descriptor_control(int fd, int command, uintptr_t argument);

#endif
