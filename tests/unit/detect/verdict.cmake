# Unit tests of the verdict, on graphs made by hand.
add_library(sca_model STATIC EXCLUDE_FROM_ALL synthetic_ppg.c)
target_link_libraries(sca_model PUBLIC sca_detect)
scalana_tool(sca_model)
scalana_unit(replay sca_model)
scalana_unit(hosts sca_detect)
scalana_unit(model sca_detect)
scalana_unit(verdict sca_model)
scalana_unit(views sca_model)
