# Call paths, samples, clocks, guard. Paths are compared with libunwind's over code of several
# compilers; compilers that are not there leave their test out.
pkg_check_modules(UNWIND REQUIRED IMPORTED_TARGET libunwind)

foreach(level O0 O2)
  add_library(subject_c_${level} OBJECT subject_c.c)
  target_compile_definitions(subject_c_${level} PRIVATE SUBJECT=subject_c_${level})
  target_compile_options(subject_c_${level} PRIVATE -${level})
endforeach()
target_compile_options(subject_c_O2 PRIVATE -fomit-frame-pointer)
add_library(subject_frames OBJECT subject_frames.c)
add_library(subject_cxx OBJECT subject_cxx.cpp)
target_compile_options(subject_cxx PRIVATE -O2)
set(SUBJECTS $<TARGET_OBJECTS:subject_c_O0> $<TARGET_OBJECTS:subject_c_O2>
             $<TARGET_OBJECTS:subject_frames> $<TARGET_OBJECTS:subject_cxx>)
# libunwind exports _Unwind_*, too: exceptions must find the compiler's first.
set(SUBJECT_LIBRARIES -Wl,--no-as-needed -lgcc_s PkgConfig::UNWIND)
set(SUBJECT_DEFINITIONS)

# scalana_subject(<have> <entry> <source> <compiler and options>...)
function(scalana_subject have entry source)
  add_custom_command(OUTPUT ${entry}.o
    COMMAND ${ARGN} -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${entry}.o
    DEPENDS ${source} subjects.h VERBATIM)
  set(SUBJECTS ${SUBJECTS} ${CMAKE_CURRENT_BINARY_DIR}/${entry}.o PARENT_SCOPE)
  set(SUBJECT_DEFINITIONS ${SUBJECT_DEFINITIONS} ${have} PARENT_SCOPE)
endfunction()

# Frames that align the stack anew, as code for wide vectors does: the CFA is in r10, then in memory.
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  scalana_subject(HAVE_REALIGNED subject_c_realigned subject_c.c ${CMAKE_C_COMPILER} -O2 -fPIC
                  -mincoming-stack-boundary=3 -mpreferred-stack-boundary=6
                  -DSUBJECT=subject_c_realigned)
endif()
find_program(SUBJECT_CLANG NAMES clang-19 clang)
if(SUBJECT_CLANG)
  scalana_subject(HAVE_CLANG subject_c_clang subject_c.c ${SUBJECT_CLANG} -O2 -fPIC
                  -DSUBJECT=subject_c_clang)
endif()
find_program(SUBJECT_GFORTRAN gfortran)
find_library(SUBJECT_GFORTRAN_RUNTIME NAMES libgfortran.so.5 libgfortran.so)
if(SUBJECT_GFORTRAN AND SUBJECT_GFORTRAN_RUNTIME)
  scalana_subject(HAVE_GFORTRAN subject_gfortran subject_fortran.f90 ${SUBJECT_GFORTRAN} -O2 -fPIC
                  -cpp -DSUBJECT=subject_gfortran -DSUBJECT_kinds=gfortran_kinds
                  -J ${CMAKE_CURRENT_BINARY_DIR})
  list(APPEND SUBJECT_LIBRARIES ${SUBJECT_GFORTRAN_RUNTIME})
endif()
find_program(SUBJECT_FLANG NAMES flang-new-19 flang-new flang)
if(SUBJECT_FLANG)
  get_filename_component(flang ${SUBJECT_FLANG} REALPATH)
  get_filename_component(flang ${flang} DIRECTORY)
  find_library(SUBJECT_FLANG_RUNTIME FortranRuntime HINTS ${flang}/../lib)
  find_library(SUBJECT_FLANG_DECIMAL FortranDecimal HINTS ${flang}/../lib)
endif()
if(SUBJECT_FLANG_RUNTIME AND SUBJECT_FLANG_DECIMAL)
  scalana_subject(HAVE_FLANG subject_flang subject_fortran.f90 ${SUBJECT_FLANG} -O2 -fPIC
                  -cpp -DSUBJECT=subject_flang -DSUBJECT_kinds=flang_kinds
                  -J ${CMAKE_CURRENT_BINARY_DIR}/flang)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/flang)
  list(APPEND SUBJECT_LIBRARIES ${SUBJECT_FLANG_RUNTIME} ${SUBJECT_FLANG_DECIMAL})
endif()

# A test that compares with libunwind: wrappers keep a frame pointer, as the library's do.
function(scalana_oracle_test name)
  scalana_unit(${name} sca_prof_archive ${SUBJECT_LIBRARIES} ${CMAKE_DL_LIBS})
  target_sources(test_${name} PRIVATE oracle.c ${SUBJECTS})
  target_compile_options(test_${name} PRIVATE -fno-omit-frame-pointer)
  target_compile_definitions(test_${name} PRIVATE ${SUBJECT_DEFINITIONS})
  set_target_properties(test_${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

scalana_oracle_test(callpath)
scalana_oracle_test(every_instruction)
scalana_unit(bare_code sca_prof_archive PkgConfig::UNWIND)
target_sources(test_bare_code PRIVATE oracle.c subject_bare.c)
target_compile_options(test_bare_code PRIVATE -fno-omit-frame-pointer)
set_source_files_properties(subject_bare.c PROPERTIES COMPILE_OPTIONS -fomit-frame-pointer)
find_library(SCALANA_PAPI_LIBRARY papi REQUIRED)
scalana_unit(sampler sca_prof_archive)
target_compile_definitions(test_sampler PRIVATE PAPI_LIBRARY="${SCALANA_PAPI_LIBRARY}")
scalana_unit(kernel_watch sca_prof_archive)
scalana_unit(own_signal sca_prof_archive)

# A PAPI of the tests' own, found under PAPI's name before any other.
string(REGEX MATCH "^[0-9]+[.][0-9]+" papi_release "${PAPI_VERSION}")
add_library(fake_papi MODULE fake_papi.c)
set_target_properties(fake_papi PROPERTIES PREFIX "" OUTPUT_NAME libpapi SUFFIX .so.${papi_release}
                                           LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/papi)
target_include_directories(fake_papi PRIVATE ${PAPI_INCLUDE_DIRS})
scalana_unit(metrics sca_prof_archive)
target_compile_definitions(test_metrics PRIVATE FAKE_PAPI="$<TARGET_FILE:fake_papi>")
target_link_options(test_metrics PRIVATE LINKER:-rpath,${CMAKE_CURRENT_BINARY_DIR}/papi)
add_dependencies(test_metrics fake_papi)
scalana_unit(clock sca_prof_archive)
scalana_unit(clock_jumps sca_prof_archive)
scalana_unit(blocked sca_prof_archive)
scalana_unit(ran_on_cores sca_prof_archive)
scalana_unit(sampler_segment sca_prof_archive)
scalana_unit(papi_event sca_prof_archive)
scalana_unit(futexes sca_prof_archive)
scalana_unit(sampler_yields sca_prof_archive)
scalana_unit(sample_next sca_prof_archive)
scalana_unit(counts sca_prof_archive)
scalana_unit(perf_standby sca_prof_archive)
scalana_unit(sampler_cost sca_prof_archive)
scalana_unit(interval sca_prof_archive)
scalana_unit(idle sca_prof_archive)
scalana_unit(hand_over sca_prof_archive)
target_include_directories(test_hand_over PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
scalana_unit(drawn_waits sca_prof_archive)
scalana_unit(phase sca_prof_archive)
scalana_unit(holders sca_prof_archive)
target_include_directories(test_holders PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
scalana_unit(semaphores sca_prof_archive)
target_include_directories(test_semaphores PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
scalana_unit(lock_places sca_prof_archive)
scalana_unit(thread_turns sca_prof_archive)
target_include_directories(test_thread_turns PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
target_include_directories(test_idle PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
scalana_unit(stint sca_prof_archive)
scalana_unit(cpu_time sca_prof_archive)
scalana_unit(pieces sca_prof_archive)
scalana_unit(long_wait sca_prof_archive)
target_include_directories(test_long_wait PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
scalana_unit(nest_lock sca_prof_archive gomp)
target_include_directories(test_nest_lock PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
target_link_options(test_nest_lock PRIVATE LINKER:--no-as-needed) # it has all the entries itself, but calls them on
scalana_unit(openmp_loops sca_prof_archive gomp)
target_include_directories(test_openmp_loops PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)
target_link_options(test_openmp_loops PRIVATE LINKER:--no-as-needed) # likewise
scalana_unit(allowed_cores sca_prof_archive gomp)
target_link_options(test_allowed_cores PRIVATE LINKER:--no-as-needed)
set_tests_properties(unit.allowed_cores PROPERTIES
                     ENVIRONMENT "OMP_PROC_BIND=true;OMP_PLACES=threads;OMP_NUM_THREADS=2")
scalana_unit(team sca_prof_archive)
target_include_directories(test_team PRIVATE ${PROJECT_BINARY_DIR}/prof/generated)

foreach(number one two)
  add_library(plugin_${number} MODULE subject_plugin.c)
endforeach()
target_compile_definitions(plugin_one PRIVATE PADDING="16")
target_compile_definitions(plugin_two PRIVATE PADDING="80")
target_link_options(plugin_one PRIVATE LINKER:--build-id=sha1)
scalana_unit(modules sca_prof_archive)
target_compile_options(test_modules PRIVATE -fno-omit-frame-pointer)
target_compile_definitions(test_modules PRIVATE PLUGIN_ONE="$<TARGET_FILE:plugin_one>"
                                                PLUGIN_TWO="$<TARGET_FILE:plugin_two>")
add_dependencies(test_modules plugin_one plugin_two)

add_test(NAME unit.handler_calls
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/handler_calls.sh ${CMAKE_NM}
          "$<FILTER:$<TARGET_OBJECTS:sca_prof_objects>,INCLUDE,/(bare_calls|bare_code|cfi|cfi_rows|cfi_expr|frames|leaves|unwind|walk|recall|callpath|own_signal|own_stack|thread_memory|papi_signal|stack|modules|build_id|guard|clock|sampler|sampler_perf|sampler_segment|sampler_distance|sampler_rate|sample_next|counts|kernel_watch|perf_clock|arena|arena_index|arena_texts)[.]c[.]o$>"
  COMMAND_EXPAND_LISTS)
