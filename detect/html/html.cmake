# The HTML report. Its style and script are files of their own, embedded with the hashes by which
# the page's content policy admits them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(here ${CMAKE_CURRENT_SOURCE_DIR}/html)
set(assets ${CMAKE_CURRENT_BINARY_DIR}/html_assets.c)
add_custom_command(OUTPUT ${assets}
  COMMAND ${Python3_EXECUTABLE} ${here}/embed.py ${here}/report.css ${here}/report.js ${assets}
  DEPENDS ${here}/embed.py ${here}/report.css ${here}/report.js VERBATIM)
target_sources(sca_show PRIVATE ${assets} export/dot.c export/export.c
  export/labels.c export/psg_dot.c export/stacks.c export/trees.c html/html.c html/html_account.c
  html/outline.c
  html/html_causes.c html/html_curves.c html/html_graph.c html/html_page.c html/html_phrase.c
  html/html_ranks.c html/html_rows.c html/html_source.c html/html_tables.c html/html_verdict.c)
target_include_directories(sca_show PRIVATE ${here} ${PROJECT_SOURCE_DIR}/common)
