# The table of MPI functions against the headers there are.
set(headers ${SCALANA_OPENMPI_INCLUDE} ${SCALANA_MPICH_INCLUDE})
list(FILTER headers EXCLUDE REGEX NOTFOUND)
add_test(NAME unit.mpi_table COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/table.py
         ${PROJECT_SOURCE_DIR}/common/mpi/mpi.table ${headers})
# And the library against what the MPI libraries define, Fortran's entries among them.
add_test(NAME unit.mpi_entries COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/entries.py
         $<TARGET_FILE:scalana-prof-preload>)
set_tests_properties(unit.mpi_entries PROPERTIES SKIP_RETURN_CODE 77)
# Waits for other ranks outside MPI.
scalana_unit(outside sca_prof_archive)
target_include_directories(test_outside PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
# What MPI is given to call back; functions are found by name in the test program itself.
scalana_unit(called_back sca_prof_archive)
target_link_options(test_called_back PRIVATE -Wl,--wrap=sca_symbols_is_mpi
                    -Wl,--export-dynamic-symbol=mpi_comm_dup_fn_)
target_include_directories(test_called_back PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
# Communicators that join worlds.
scalana_unit(worlds_told sca_prof_archive)
target_include_directories(test_worlds_told PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
