# Tests of single modules, on what is made by hand.
foreach(module abnormal account belief call_sequence first_round growth launch off_cpu same_place transfer backtrack balanced candidate category completion confirm core_speed delay event_order
               levelling longest_waits message_pairs rank_correspondence refine rotating sample_pool slow_ranks trace_scale wait_state what_if shortlist single_instance vertex_interval work_queue)
  scalana_unit(${module} sca_model)
endforeach()
