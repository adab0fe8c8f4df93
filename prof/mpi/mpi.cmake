# Wrappers made of mpi.table, and one descriptor compiled against each mpi.h there is. Nothing is
# linked to an MPI library: which one it is, is seen at run time.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_path(SCALANA_OPENMPI_INCLUDE mpi.h
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include /usr/lib64/openmpi/include
        /usr/include/openmpi-${CMAKE_SYSTEM_PROCESSOR} NO_DEFAULT_PATH)
find_path(SCALANA_MPICH_INCLUDE mpi.h
  PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich /usr/include/mpich-${CMAKE_SYSTEM_PROCESSOR}
        /usr/include/mpich NO_DEFAULT_PATH)
if(NOT SCALANA_OPENMPI_INCLUDE AND NOT SCALANA_MPICH_INCLUDE)
  message(FATAL_ERROR "no mpi.h found: install libopenmpi-dev or libmpich-dev, or set "
                      "SCALANA_OPENMPI_INCLUDE or SCALANA_MPICH_INCLUDE to its directory")
endif()
foreach(mpi OPENMPI MPICH)
  if(NOT SCALANA_${mpi}_INCLUDE)
    message(STATUS "Programs of ${mpi} cannot be recorded: its mpi.h was not found. "
                   "SCALANA_${mpi}_INCLUDE names its directory")
  endif()
endforeach()

set(PROF_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${PROF_GENERATED})
set(PROF_WRAPPERS ${PROF_GENERATED}/mpi_functions.c ${PROF_GENERATED}/wrappers_c.c
                  ${PROF_GENERATED}/wrappers_fortran.c)
add_custom_command(
  OUTPUT ${PROF_GENERATED}/mpi_functions.h ${PROF_WRAPPERS}
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/gen_wrappers.py
          ${PROJECT_SOURCE_DIR}/common/mpi/mpi.table ${PROF_GENERATED}
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/gen_wrappers.py ${PROJECT_SOURCE_DIR}/common/mpi/mpi.table VERBATIM)
include_directories(${PROF_GENERATED})
list(APPEND PROF_SOURCES ${PROF_GENERATED}/mpi_functions.h ${PROF_WRAPPERS})

foreach(mpi OPENMPI MPICH)
  string(TOLOWER ${mpi} lower)
  if(SCALANA_${mpi}_INCLUDE)
    list(APPEND PROF_SOURCES mpi/abi_${lower}.c)
    set_source_files_properties(mpi/abi_${lower}.c PROPERTIES
      COMPILE_OPTIONS "-isystem;${SCALANA_${mpi}_INCLUDE}")
    set_property(SOURCE mpi/abi.c APPEND PROPERTY COMPILE_DEFINITIONS SCA_WITH_${mpi}=1)
  else()
    set_property(SOURCE mpi/abi.c APPEND PROPERTY COMPILE_DEFINITIONS SCA_WITH_${mpi}=0)
  endif()
endforeach()
