/* Descriptors that the library keeps open in the program. Also in a handler. */
#ifndef SCA_PROF_DESCRIPTOR_H
#define SCA_PROF_DESCRIPTOR_H

/* A program may count on the number that its next open() gets: the same, under a high number; as
 * it is where that cannot be. */
int sca_descriptor_move(int fd);

#endif
