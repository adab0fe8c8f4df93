/*
 * What wrappers written by hand share (wrap_special.c, wrap_sessions.c): types of functions by
 * their number of arguments (words, untouched), and the further names of each entry.
 */
#ifndef SCA_PROF_SPECIAL_H
#define SCA_PROF_SPECIAL_H

#include "calls/activity.h"
#include "mpi/symbols.h"

typedef sca_word (*sca_call0)(void);
typedef sca_word (*sca_call1)(sca_word);
typedef sca_word (*sca_call2)(sca_word, sca_word);
typedef sca_word (*sca_call3)(sca_word, sca_word, sca_word);
typedef sca_word (*sca_call4)(sca_word, sca_word, sca_word, sca_word);
typedef sca_word (*sca_call5)(sca_word, sca_word, sca_word, sca_word, sca_word);
typedef sca_word (*sca_call7)(sca_word, sca_word, sca_word, sca_word, sca_word, sca_word, sca_word);

/* PMPI_X, as the generated ones. */
#define SCA_PMPI(name, type, parameters, ...)                                                      \
    SCA_ENTRY sca_word PMPI_##name parameters                                                      \
    {                                                                                              \
        if (sca_activity_passes_below(SCA_FN_##name))                                              \
            return ((type)SCA_BELOW(SCA_FN_##name))(__VA_ARGS__);                                  \
        return MPI_##name(__VA_ARGS__);                                                            \
    }

/* Every spelling of an entry; parameters and their names differ, so they are given. */
#define SCA_SPELLINGS(upper, lower, body, number, parameters, ...)                                 \
    SCA_ENTRY void mpi_##lower##_ parameters                                                       \
    {                                                                                              \
        body(SCA_FORTRAN_##number, __VA_ARGS__);                                                   \
    }                                                                                              \
    SCA_ENTRY void mpi_##lower parameters __attribute__((alias("mpi_" #lower "_")));               \
    SCA_ENTRY void mpi_##lower##__ parameters __attribute__((alias("mpi_" #lower "_")));           \
    SCA_ENTRY void MPI_##upper parameters __attribute__((alias("mpi_" #lower "_")));               \
    SCA_ENTRY void mpi_##lower##_f08_ parameters                                                   \
    {                                                                                              \
        body(SCA_FORTRAN_##number##_f08, __VA_ARGS__);                                             \
    }                                                                                              \
    SCA_ENTRY void mpi_##lower##_f08ts_ parameters                                                 \
    {                                                                                              \
        body(SCA_FORTRAN_##number##_f08ts, __VA_ARGS__);                                           \
    }

#endif
