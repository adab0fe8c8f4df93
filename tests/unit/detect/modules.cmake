# Tests of single modules, on what is made by hand.
foreach(module abnormal abnormal_findings abnormal_members abnormal_places abnormal_ranks abnormal_threads abnormal_uneven account
               backtrack belief call_sequence call_waits category causes charge
               cause_parts code_inside code_intervals code_times core_use core_waits completion confirm core_speed critical_path delay delay_blame
               efficiency event_order evidence exchange_growth growth growth_causes instance_matrix
               interval_draft interval_findings interval_known interval_line interval_matrix launch
               ledger equalising local_calls lock_turns cuts gain_range interval_excess excess_by_length long_instances longest_waits message_pairs metric_values named_place off_cpu other_rounds
               by_length efficiency_over_time loop_round off_cpu_stall one_line_nest path_profile phases projection over_ranks poisson probed rank_correspondence refine replicate rotating rotating_ranks
               same_place
               sample_pool memory_growth recursive_sites series_clusters series_patterns series_periods served_order shared_cores shares shortlist sides single_instance symptoms
               trace_scale
               other_world transfer vertex_interval wait_state weighted_quantile what_if window_cut window_levels window_trace work_queue)
  scalana_unit(${module} sca_model)
endforeach()
