# Tests of what addresses, call paths and functions are taken for.
foreach(module tail_call identical_code)
  scalana_unit(${module} sca_model)
endforeach()
