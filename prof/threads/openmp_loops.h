/*
 * Loops of OpenMP whose iterations wait for others (doacross: depend(sink), depend(source)).
 */
#ifndef SCA_PROF_OPENMP_LOOPS_H
#define SCA_PROF_OPENMP_LOOPS_H

/* Of how many nested loops the one is whose share the calling thread began last; 0: its iterations
 * do not wait, or the runtime is LLVM's, which says so at each wait. */
unsigned sca_openmp_loops_dimensions(void);

#endif
