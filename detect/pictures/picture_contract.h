/*
 * A picture of what matters: of places in the program that take little time on all ranks, those
 * that follow each other become one node of each group. Times, counts and messages are added up, so
 * that nothing is lost.
 */
#ifndef SCA_DETECT_PICTURE_CONTRACT_H
#define SCA_DETECT_PICTURE_CONTRACT_H

#include "pictures/picture.h"

/* What stays by itself: the start and the end, places that take the part `least` of some group's
 * time, both ends of a computation that does, and the loops around them. 0: all of them. */
void sca_picture_contract(struct sca_picture *p, double least);

#endif
