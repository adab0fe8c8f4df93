/* Code shapes whose call paths the tests compare with libunwind's. Each calls probe() at its
 * depths. Built at several optimisation levels by several compilers. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#ifdef __cplusplus
extern "C" {
#endif

void probe(void);

void subject_c_O0(int n);
void subject_c_O2(int n);
void subject_c_clang(int n);
void subject_c_realigned(int n);
void subject_frames(int n);
void subject_cxx(int n);
void subject_gfortran_(const int *n);
void subject_flang_(const int *n);

#ifdef __cplusplus
}
#endif
#endif
