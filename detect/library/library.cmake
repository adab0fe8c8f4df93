# libscalana: common/ and the rooms up to the report, behind include/scalana/. The same objects as in
# the archives; a program takes them from the archives (tests) or from the library, never both.
set(SCALANA_LIBRARY_VERSION 1.5) # of the interface: its first number is the library's so-version
set(room ${CMAKE_CURRENT_SOURCE_DIR}/library)
set(symbols ${CMAKE_CURRENT_BINARY_DIR}/libscalana.map)
configure_file(${room}/libscalana.map.in ${symbols} @ONLY)

add_library(scalana SHARED
  library/activities.c library/arguments.c library/awaited.c library/causes.c library/collective_edges.c library/contexts.c library/edges.c library/findings.c library/groups.c library/locations.c library/lock_edges.c
  library/messages.c library/metric_values.c library/option_values.c library/options.c library/paths.c
  library/known_messages.c library/plain_numbers.c library/replays.c library/report_behaviour.c library/report_metrics.c library/report_places.c library/report_runs.c library/report_topologies.c library/rows.c library/run_metrics.c
  library/runs.c library/senders.c library/series.c library/series_made.c library/thread_quantiles.c library/threads.c library/core_parts.c library/under_way.c library/verdicts.c library/windows.c
  $<TARGET_OBJECTS:sca_analysis> $<TARGET_OBJECTS:sca_structure> $<TARGET_OBJECTS:sca_common>)
target_include_directories(scalana
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
  PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
pkg_check_modules(LIBMD REQUIRED IMPORTED_TARGET libmd)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_package(zydis REQUIRED)
target_link_libraries(scalana PRIVATE PkgConfig::LIBDW Zydis::Zydis PkgConfig::CJSON PkgConfig::LIBMD ZLIB::ZLIB
                                      Threads::Threads stdc++ ${CMAKE_DL_LIBS} m)
# Calls inside the library stay inside, at no cost: nobody puts a function of theirs in between.
target_link_options(scalana PRIVATE LINKER:--version-script=${symbols}
  LINKER:-Bsymbolic-functions LINKER:--as-needed)
set_target_properties(scalana PROPERTIES LINK_DEPENDS ${symbols} VERSION ${SCALANA_LIBRARY_VERSION}
  SOVERSION 1 EXPORT_NAME scalana)
scalana_tool(scalana)

install(TARGETS scalana EXPORT scalana LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/scalana DESTINATION include)

# find_package(scalana) -> scalana::scalana
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/scalana)
install(EXPORT scalana NAMESPACE scalana:: FILE scalana-targets.cmake DESTINATION ${package})
set(config ${CMAKE_CURRENT_BINARY_DIR}/package)
configure_package_config_file(${room}/scalana-config.cmake.in ${config}/scalana-config.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${config}/scalana-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${config}/scalana-config.cmake ${config}/scalana-config-version.cmake
        DESTINATION ${package})
