# Tests of what addresses, call paths, messages and runs are taken for.
foreach(module acts context_growth framework identical_code message_join notes_doubt notes_left notes_replay notes_runs notes_stood notes_waited program_order
               run_comparison tail_call)
  scalana_unit(${module} sca_model)
endforeach()
scalana_unit(graph_match sca_model PkgConfig::LIBDW)

# These look addresses up that programs/rows.s lays down.
foreach(module compile_units file_notes inline_chain source_checksums ungraphed)
  scalana_unit(${module} sca_model PkgConfig::LIBDW)
  add_dependencies(test_${module} detect_test_programs)
  target_compile_definitions(test_${module} PRIVATE
    TEST_PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/programs")
endforeach()

foreach(module foreign_code run_loading)
  scalana_unit(${module} sca_model sca_synthetic)
  add_dependencies(test_${module} detect_test_programs)
  target_compile_definitions(test_${module} PRIVATE
    TEST_PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/programs")
endforeach()

# Libraries that call MPI, or are linked with one that does, or offer MPI's functions, or none of it.
scalana_unit(application sca_model)
foreach(kind communicates solves binding names multiplies)
  string(TOUPPER ${kind} upper)
  add_library(test_${kind} SHARED programs/mpi_use.c)
  target_compile_definitions(test_${kind} PRIVATE KIND_${upper})
  target_compile_options(test_${kind} PRIVATE -fPIC)
  target_link_options(test_${kind} PRIVATE -Wl,--unresolved-symbols=ignore-all)
  set_target_properties(test_${kind} PROPERTIES OUTPUT_NAME ${kind} SOVERSION 7)
  add_dependencies(test_application test_${kind})
  target_compile_definitions(test_application PRIVATE TEST_${upper}="$<TARGET_FILE:test_${kind}>")
endforeach()
target_link_libraries(test_solves PRIVATE test_communicates)
