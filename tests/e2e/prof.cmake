# The runtime as it is built, under each MPI there is: every way a program can end.
if(TARGET scalana-prof-preload AND NOT SCALANA_SANITIZE)
  foreach(mpi openmpi mpich)
    find_program(SCALANA_MPICC_${mpi} mpicc.${mpi})
    if(NOT SCALANA_MPICC_${mpi})
      continue()
    endif()
    set(sessions)
    if(mpi STREQUAL mpich) # MPI 4
      set(sessions sessions)
    endif()
    foreach(case ${sessions} finalize second status abort exit forget kill term segv late dead fork unwritable output
                 disabled events quiet cost wrong_values file_limit crowded core_use partial partial_unseen stderr_taken peer launcher launcher_misuse linked_in)
      add_test(NAME e2e.prof.${mpi}.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_leave.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile>)
      set_tests_properties(e2e.prof.${mpi}.${case} PROPERTIES TIMEOUT 600)
    endforeach()
    foreach(case paths deep tags outstanding locked comms plugins timers masked children jump budget budget_shared later full_disk)
      add_test(NAME e2e.prof.${mpi}.hostile.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_hostile.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile>)
      set_tests_properties(e2e.prof.${mpi}.hostile.${case} PROPERTIES TIMEOUT 600
                                                                      SKIP_RETURN_CODE 77)
    endforeach()
    foreach(case waits reads handles sleeps threads fibers stacks hides inherits)
      add_test(NAME e2e.prof.${mpi}.signals.${case}
               COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prof_signals.py ${case} ${mpi}
                       $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:scalana-prof>
                       $<TARGET_FILE:show_profile>)
    endforeach()
    foreach(compiler gcc clang)
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
    foreach(case barrier semaphore pipe socket lock mutex sleep unharmed loading)
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
  # Two hosts, made of namespaces; skipped where these are not permitted.
  foreach(case names same_name clocks abort)
    add_test(NAME e2e.hosts.${case}
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/hosts.py ${case}
                     $<TARGET_FILE:scalana-prof-preload> $<TARGET_FILE:show_profile>
                     $<TARGET_FILE:scalana-detect>)
    set_tests_properties(e2e.hosts.${case} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
  endforeach()
endif()
