# The HTML report; make_page writes samples of it for the browser test.
scalana_unit(html sca_detect sca_sample)
scalana_unit(text sca_detect sca_sample)
add_executable(make_page make_page.c)
target_link_libraries(make_page PRIVATE sca_detect sca_sample)
scalana_tool(make_page)
