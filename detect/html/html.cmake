# The HTML report. Its style and scripts are files of their own, embedded with the hashes by which
# the page's content policy admits them. A script uses what those before it define.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(here ${CMAKE_CURRENT_SOURCE_DIR}/html)
set(assets ${CMAKE_CURRENT_BINARY_DIR}/html_assets.c)
set(embedded report.css explorer.css timeline.css report.js page.js explorer_data.js explorer_measure.js
  explorer_values.js explorer_tree.js explorer_system.js explorer_topology.js explorer_map.js
  explorer_threads.js explorer_spread.js explorer_search.js explorer_other.js explorer_range.js explorer_frame.js explorer.js
  timeline_draw.js timeline.js range_figures.js series_curve.js range.js)
list(TRANSFORM embedded PREPEND ${here}/)
add_custom_command(OUTPUT ${assets}
  COMMAND ${Python3_EXECUTABLE} ${here}/embed.py ${assets} ${embedded}
  DEPENDS ${here}/embed.py ${embedded} VERBATIM)
target_sources(sca_show PRIVATE ${assets} export/dot.c export/export.c
  export/labels.c export/otf2_events.c export/trace_names.c export/perfetto.c export/pictures.c export/protobuf.c export/psg_dot.c export/stacks.c export/trees.c html/html.c html/html_account.c html/html_behaviour.c
  html/outline.c html/html_causes.c html/html_communication.c html/html_curves.c html/html_explorer.c
  html/html_explorer_data.c html/html_explorer_metrics.c html/html_explorer_places.c html/html_graph.c html/html_json.c html/html_locks.c
  html/html_page.c html/html_phrase.c html/html_ranks.c html/html_replayed.c html/html_rows.c html/html_source.c html/html_clusters.c html/html_series.c html/html_series_data.c html/html_summary.c html/html_timeline.c
  html/html_tables.c html/html_verdict.c pictures/picture_dot.c pictures/picture_graphml.c)
target_include_directories(sca_show PRIVATE ${here} ${PROJECT_SOURCE_DIR}/common)

# Traces for Vampir and Scalasca, where libotf2 is there: the archive, so that the tool starts without it.
find_library(SCALANA_OTF2 NAMES libopen-trace-format2.a libotf2.a open-trace-format2 otf2)
find_path(SCALANA_OTF2_INCLUDE otf2/otf2.h)
if(SCALANA_OTF2 AND SCALANA_OTF2_INCLUDE)
  target_sources(sca_show PRIVATE export/otf2.c)
  target_include_directories(sca_show SYSTEM PRIVATE ${SCALANA_OTF2_INCLUDE})
  target_link_libraries(sca_show PRIVATE ${SCALANA_OTF2})
else()
  target_sources(sca_show PRIVATE export/otf2_absent.c)
endif()
