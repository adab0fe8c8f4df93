# The fuzzer of what is recovered from machine code, and the small programs it starts from: built
# without the sanitizers, in structure_seeds.
target_sources(sca_fuzz PRIVATE code_file.c)
scalana_fuzzer(structure sca_fuzz sca_structure)
target_include_directories(fuzz_structure PRIVATE ${PROJECT_SOURCE_DIR}/structure)

set(seeds ${CMAKE_CURRENT_BINARY_DIR}/structure_seeds)
set(list "")
file(MAKE_DIRECTORY ${seeds})
function(scalana_structure_seed name source)
  add_custom_command(OUTPUT ${seeds}/${name}
    COMMAND ${CMAKE_C_COMPILER} -nostdlib -Wl,--unresolved-symbols=ignore-all -Wl,-z,noseparate-code
            -Wl,-e,main ${ARGN} ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${seeds}/${name}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} VERBATIM)
  set(list ${list} ${seeds}/${name} PARENT_SCOPE)
endfunction()
scalana_structure_seed(plain structure_seed.c -O0 -g)
scalana_structure_seed(optimised structure_seed.c -O2 -g1)
scalana_structure_seed(at_fixed structure_seed.c -O1 -fno-pie -no-pie)
scalana_structure_seed(stripped structure_seed.c -O2 -s)
scalana_structure_seed(throwing structure_seed.cpp -O1 -g)
scalana_structure_seed(throwing_stripped structure_seed.cpp -O2 -s)
find_program(SCALANA_FUZZ_LLD ld.lld)
if(SCALANA_FUZZ_LLD)
  scalana_structure_seed(arm structure_seed.c -O2 -g1 --target=aarch64-linux-gnu -fuse-ld=lld)
endif()
# Code alone: what fuzz_write_code() makes a file around.
foreach(kind x86 arm)
  set(from optimised)
  set(first "\\000\\020")
  if(kind STREQUAL arm)
    set(from arm)
    set(first "\\001\\020")
  endif()
  if(kind STREQUAL x86 OR SCALANA_FUZZ_LLD)
    add_custom_command(OUTPUT ${seeds}/code_${kind}
      COMMAND llvm-objcopy-19 -O binary --only-section=.text ${seeds}/${from} ${seeds}/text_${kind}
      COMMAND sh -c "(printf '${first}' && cat text_${kind}) >code_${kind} && rm text_${kind}"
      WORKING_DIRECTORY ${seeds} DEPENDS ${seeds}/${from} VERBATIM)
    list(APPEND list ${seeds}/code_${kind})
  endif()
endforeach()
add_custom_target(fuzz_structure_seeds DEPENDS ${list})
