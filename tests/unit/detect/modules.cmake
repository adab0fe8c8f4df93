# Tests of single modules, on what is made by hand.
foreach(module candidate category completion core_speed instance_matrix off_cpu_stall projection
               rank_correspondence shortlist single_instance vertex_interval work_queue)
  scalana_unit(${module} sca_model)
endforeach()
