# What tests of the runtime run: each program is built once for an MPI, into programs/MPI/.

# prof_program(<mpi> <output> <compiler> <source> <flags>...)
function(prof_program mpi output compiler source)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/programs/${mpi})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${output}
    COMMAND ${compiler} -g -O1 -w ${CMAKE_CURRENT_SOURCE_DIR}/programs/${source} -o ${folder}/${output} ${ARGN}
    DEPENDS programs/${source} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY SCALANA_PROF_PROGRAMS ${folder}/${output})
endfunction()

function(prof_programs mpi)
  set(no_bindings -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  foreach(name leave hostile signals outside blocks called_back layered)
    prof_program(${mpi} ${name} mpicc.${mpi} ${name}.c -D_GNU_SOURCE -lpthread -ldl -lrt)
  endforeach()
  prof_program(${mpi} called_back_fortran mpif90.${mpi} called_back_fortran.f90)
  prof_program(${mpi} jumps mpicxx.${mpi} jumps.cpp ${no_bindings} -ldl -lrt)
  prof_program(${mpi} layer.so mpicc.${mpi} layer.c -shared -fPIC -ldl)
  prof_program(${mpi} looked_up_plugin.so mpicc.${mpi} looked_up_plugin.c -shared -fPIC)
  prof_program(${mpi} looked_up_early.so mpicc.${mpi} looked_up_plugin.c -shared -fPIC -DEARLY)
  # Without MPI.
  prof_program(${mpi} looked_up cc looked_up.c -ldl)
  prof_program(${mpi} plugin.so cc plugin.c -shared -fPIC)
endfunction()
