# Tests of what addresses, call paths, messages and runs are taken for.
foreach(module context_growth framework identical_code message_join notes_runs program_order
               run_comparison tail_call)
  scalana_unit(${module} sca_model)
endforeach()
scalana_unit(graph_match sca_model PkgConfig::LIBDW)

# These look addresses up that programs/rows.s lays down.
foreach(module compile_units inline_chain source_checksums ungraphed)
  scalana_unit(${module} sca_model PkgConfig::LIBDW)
  add_dependencies(test_${module} detect_test_programs)
  target_compile_definitions(test_${module} PRIVATE
    TEST_PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/programs")
endforeach()

scalana_unit(run_loading sca_model sca_synthetic)
add_dependencies(test_run_loading detect_test_programs)
target_compile_definitions(test_run_loading PRIVATE
  TEST_PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/programs")
