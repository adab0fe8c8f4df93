# Tests of what addresses, call paths and functions are taken for.
foreach(module framework identical_code tail_call)
  scalana_unit(${module} sca_model)
endforeach()
scalana_unit(graph_match sca_model PkgConfig::LIBDW)
