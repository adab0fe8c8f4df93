# The runtime as it is built, under each MPI there is: every way a program can end. What does not depend on
# the MPI library is tried with the first alone.
include(prof_programs.cmake)
if(TARGET scalana-prof-preload AND NOT SCALANA_SANITIZE)
  foreach(mpi openmpi mpich)
    find_program(SCALANA_MPICC_${mpi} mpicc.${mpi})
    if(NOT SCALANA_MPICC_${mpi})
      continue()
    endif()
    prof_programs(${mpi})
    set(sessions)
    if(mpi STREQUAL mpich) # MPI 4
      set(sessions sessions)
    endif()
    set(once unwritable output disabled events quiet cost wrong_values crowded stderr_taken
             launcher_misuse)
    if(mpi STREQUAL mpich)
      set(once)
    endif()
    foreach(case ${sessions} finalize second status abort exit forget kill term segv late dead fork
                 file_limit core_use partial partial_unseen peer launcher linked_in ${once})
      add_test(NAME e2e.prof.${mpi}.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_leave.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile>)
      set_tests_properties(e2e.prof.${mpi}.${case} PROPERTIES TIMEOUT 600)
    endforeach()
    set(once locked plugins timers masked children jump budget budget_shared full_disk)
    if(mpi STREQUAL mpich)
      set(once)
    endif()
    foreach(case paths deep tags outstanding comms later ${once})
      add_test(NAME e2e.prof.${mpi}.hostile.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_hostile.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile>)
      set_tests_properties(e2e.prof.${mpi}.hostile.${case} PROPERTIES TIMEOUT 600
                                                                      SKIP_RETURN_CODE 77)
    endforeach()
    set(once reads sleeps fibers stacks hides)
    if(mpi STREQUAL mpich)
      set(once)
    endif()
    foreach(case waits handles threads inherits ${once})
      add_test(NAME e2e.prof.${mpi}.signals.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_signals.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile>)
      set_tests_properties(e2e.prof.${mpi}.signals.${case} PROPERTIES SKIP_RETURN_CODE 77)
    endforeach()
    set(once gcc clang)
    if(mpi STREQUAL mpich)
      set(once)
    endif()
    foreach(compiler IN LISTS once)
      set(kinds address thread undefined)
      if(compiler STREQUAL clang)
        list(APPEND kinds memory) # GCC has none
      endif()
      foreach(case ${kinds})
        add_test(NAME e2e.prof.${mpi}.sanitizers.${compiler}.${case}
                 COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_sanitizers.py ${compiler}.${case} ${mpi}
                         $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                         $<TARGET_FILE:show_profile>)
        set_tests_properties(e2e.prof.${mpi}.sanitizers.${compiler}.${case}
                             PROPERTIES SKIP_RETURN_CODE 77)
      endforeach()
    endforeach()
    set(once semaphore pipe socket mutex sleep loading)
    if(mpi STREQUAL mpich)
      set(once)
    endif()
    foreach(case barrier lock unharmed ${once})
      if(TARGET scalana-detect)
        add_test(NAME e2e.prof.${mpi}.outside.${case}
                 COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_outside.py ${case} ${mpi}
                         $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                         $<TARGET_FILE:show_profile> $<TARGET_FILE:scalana-detect>)
      endif()
    endforeach()
    # Open MPI's own loader of components does not survive dlmopen.
    set(spaces)
    if(mpi STREQUAL mpich)
      set(spaces looked_up_space)
    endif()
    foreach(case operators attributes requests errors fortran exceptions deep fibers limit layer
                 looked_up_handle looked_up_default looked_up_deep looked_up_lazy looked_up_next unseen
                 ${spaces})
      add_test(NAME e2e.prof.${mpi}.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_passed_by.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile> $<TARGET_FILE:show_paths>)
      set_tests_properties(e2e.prof.${mpi}.${case} PROPERTIES TIMEOUT 600)
    endforeach()
  endforeach()
  get_property(made GLOBAL PROPERTY SCALANA_PROF_PROGRAMS)
  add_custom_target(prof_programs ALL DEPENDS ${made})
  # Two hosts, made of namespaces; skipped where these are not permitted.
  foreach(case names same_name clocks abort)
    add_test(NAME e2e.hosts.${case}
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/hosts.py ${case}
                     $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:show_profile>
                     $<TARGET_FILE:scalana-detect>)
    set_tests_properties(e2e.hosts.${case} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
  endforeach()
endif()
