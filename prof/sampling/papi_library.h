/*
 * The PAPI library, opened when sampling starts and not linked: processes that are no MPI programs
 * never load it, and where it is not installed sampling falls back. Constant once sampling runs.
 */
#ifndef SCA_PROF_PAPI_LIBRARY_H
#define SCA_PROF_PAPI_LIBRARY_H

#include <papi.h>

#define SCA_PAPI_FUNCTIONS(F)                                                                      \
    F(library_init)                                                                                \
    F(thread_init)                                                                                 \
    F(register_thread)                                                                             \
    F(unregister_thread)                                                                           \
    F(get_hardware_info)                                                                           \
    F(get_component_index)                                                                         \
    F(get_component_info)                                                                          \
    F(event_name_to_code)                                                                          \
    F(create_eventset)                                                                             \
    F(assign_eventset_component)                                                                   \
    F(multiplex_init)                                                                              \
    F(set_multiplex)                                                                               \
    F(add_event)                                                                                   \
    F(overflow)                                                                                    \
    F(start)                                                                                       \
    F(stop)                                                                                        \
    F(read)                                                                                        \
    F(cleanup_eventset)                                                                            \
    F(destroy_eventset)                                                                            \
    F(shutdown)                                                                                    \
    F(strerror)

struct sca_papi {
#define SCA_PAPI_MEMBER(name) __typeof__(&PAPI_##name) name;
    SCA_PAPI_FUNCTIONS(SCA_PAPI_MEMBER)
#undef SCA_PAPI_MEMBER
};

extern struct sca_papi sca_papi;

/* 0 when sca_papi can be used, else why not. */
const char *sca_papi_library_open(void);
/* Gives back what it takes: 3 MB. It has no event set any more; it may be opened again. */
void sca_papi_library_close(void);

#endif
