# Formats of other tools; make_export writes samples of them for their readers.
scalana_unit(export sca_detect sca_sample)
add_executable(make_export make_export.c)
target_link_libraries(make_export PRIVATE sca_detect sca_sample)
scalana_tool(make_export)
