# Small programs whose addresses the attribution tests look up: built by the plain compilers, and
# by scalana-static where that is built too.
find_program(SCALANA_TEST_CLANG clang-19)
find_program(SCALANA_TEST_CLANGXX clang++-19)
find_program(SCALANA_TEST_FLANG flang-new-19)
find_program(SCALANA_TEST_SYMBOLIZER llvm-symbolizer-19)

set(SCALANA_TEST_PROGRAMS "")
function(scalana_test_program name source compiler)
  if(NOT compiler)
    return()
  endif()
  set(wrapper "")
  if(name MATCHES "^graph_")
    if(NOT TARGET scalana-static)
      return()
    endif()
    # A sanitized wrapper that leaves its memory to the system is none of these tests' business.
    set(wrapper ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:scalana-static>)
  endif()
  set(program ${CMAKE_CURRENT_BINARY_DIR}/programs/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${wrapper} ${compiler} ${ARGN} ${CMAKE_CURRENT_SOURCE_DIR}/programs/${source}
            -o ${program}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/programs/${source}
            $<TARGET_NAME_IF_EXISTS:scalana-static> $<TARGET_NAME_IF_EXISTS:scalana-pass>
    VERBATIM)
  set(SCALANA_TEST_PROGRAMS ${SCALANA_TEST_PROGRAMS} ${program} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/programs)
scalana_test_program(nested_o0 nested.c "${SCALANA_TEST_CLANG}" -O0 -g)
scalana_test_program(nested_o2 nested.c "${SCALANA_TEST_CLANG}" -O2 -g1)
scalana_test_program(nested_sections nested.c "${SCALANA_TEST_CLANG}" -O3 -g -gdwarf-4
                     -ffunction-sections -Wl,--gc-sections)
scalana_test_program(nested_static nested.c "${SCALANA_TEST_CLANG}" -O2 -g -static)
scalana_test_program(templates_o1 templates.cpp "${SCALANA_TEST_CLANGXX}" -O1 -g)
scalana_test_program(templates_o3 templates.cpp "${SCALANA_TEST_CLANGXX}" -O3 -g1)
scalana_test_program(modules_o1 modules.f90 "${SCALANA_TEST_FLANG}" -O1 -g1)
scalana_test_program(modules_o3 modules.f90 "${SCALANA_TEST_FLANG}" -O3 -g)
scalana_test_program(halo_plain halo.c "${SCALANA_TEST_CLANG}" -O1 -g
                     -Wl,--unresolved-symbols=ignore-all)
scalana_test_program(halo_stripped halo.c "${SCALANA_TEST_CLANG}" -O1 -s
                     -Wl,--unresolved-symbols=ignore-all)
scalana_test_program(rows rows.s "${SCALANA_TEST_CLANG}" -nostdlib -static -Wl,-Ttext=0x10000)
scalana_test_program(graph_halo halo.c "${SCALANA_TEST_CLANG}" -O1
                     -Wl,--unresolved-symbols=ignore-all)
scalana_test_program(graph_nested_o0 nested.c "${SCALANA_TEST_CLANG}" -O0)
scalana_test_program(graph_nested_o3 nested.c "${SCALANA_TEST_CLANG}" -O3)
scalana_test_program(graph_nested_g nested.c "${SCALANA_TEST_CLANG}" -O2 -g)
scalana_test_program(graph_templates_o3 templates.cpp "${SCALANA_TEST_CLANGXX}" -O3)
scalana_test_program(graph_modules_o3 modules.f90 "${SCALANA_TEST_FLANG}" -O3)
add_custom_target(detect_test_programs DEPENDS ${SCALANA_TEST_PROGRAMS})
