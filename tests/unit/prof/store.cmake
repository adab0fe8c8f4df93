# The store: live state, settings, names of runs.
scalana_unit(arena sca_prof_archive sca_common)
scalana_unit(settings sca_prof_archive)
target_include_directories(test_arena PRIVATE ${PROJECT_SOURCE_DIR}/common)
scalana_unit(patience sca_played_clock sca_prof_archive)
scalana_unit(farewell sca_played_clock sca_prof_archive)
scalana_unit(offsets sca_prof_archive)
scalana_unit(window_choice sca_prof_archive)
scalana_unit(recurrence sca_prof_archive)
