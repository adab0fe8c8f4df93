/* Comparing two structures field by field, in functions for qsort(). */
#ifndef SCA_DETECT_COMPARE_H
#define SCA_DETECT_COMPARE_H

#define SCA_ORDER(a, b)                                                                            \
    if ((a) != (b))                                                                                \
    return (a) < (b) ? -1 : 1

#endif
