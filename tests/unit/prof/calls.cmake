# The table of MPI functions against the headers there are.
set(headers ${SCALANA_OPENMPI_INCLUDE} ${SCALANA_MPICH_INCLUDE})
list(FILTER headers EXCLUDE REGEX NOTFOUND)
add_test(NAME unit.mpi_table COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/table.py
         ${PROJECT_SOURCE_DIR}/prof/mpi.table ${headers})
