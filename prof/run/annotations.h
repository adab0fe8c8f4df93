/*
 * Annotations that a program has for other tools become phases by name (run/regions.h): Caliper's
 * regions (cali_begin_region and its like) and the monitoring regions of DLB's TALP. Both
 * interfaces are public: caliper/cali.h, dlb_talp.h.
 *
 * Nothing is interposed by a name of its own, since programs may ask whether these functions are
 * there. Where a file of the process has them at MPI_Init, the slots of other files for them are
 * given this library's, which call them. So what is linked statically, loaded later, or inlined
 * (the C++ classes of Caliper) is not seen.
 */
#ifndef SCA_PROF_ANNOTATIONS_H
#define SCA_PROF_ANNOTATIONS_H

/* Once, when this process is recorded. Not in a handler, not with the state lock held. */
void sca_annotations_bind(void);

#endif
