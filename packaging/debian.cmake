# Before a package is closed: what Debian wants otherwise than other systems.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)

# zsh looks here for what packages bring; the module system is not needed below /usr.
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
file(REMOVE_RECURSE ${share}/modulefiles)

file(COPY ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides DESTINATION ${share}/lintian/overrides)
file(RENAME ${share}/lintian/overrides/lintian-overrides ${share}/lintian/overrides/scalana)

file(READ ${share}/doc/scalana/LICENSE license)
file(REMOVE ${share}/doc/scalana/LICENSE)
file(WRITE ${share}/doc/scalana/copyright "${license}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${share}/doc/scalana/changelog
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${share}/man/man*/*.[17] ${share}/doc/scalana/changelog)
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
