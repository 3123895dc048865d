# What is installed with the program, and the packages that CPack makes of it: a .deb, and a tar.gz that runs from any folder and
# carries the libraries that it needs.
set(armature_data ${CMAKE_INSTALL_DATAROOTDIR}/armature)

# Manual pages and completions are printed by the program, so that they agree with --help.
set(extras ${CMAKE_BINARY_DIR}/package)
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/apps/cli/verbs.def verbs REGEX "^VERB\\(")
list(TRANSFORM verbs REPLACE "^VERB\\(([a-z]+),.*" "\\1")
list(REMOVE_ITEM verbs completions manual)
find_program(GZIP gzip)
set(manual_pages ${extras}/armature.1.gz)
list(TRANSFORM verbs REPLACE "(.+)" "${extras}/armature-\\1.1.gz" OUTPUT_VARIABLE verb_pages)
list(APPEND manual_pages ${verb_pages})
add_custom_command(OUTPUT ${extras}/armature.1.gz
  COMMAND ${CMAKE_COMMAND} -E make_directory ${extras}
  COMMAND $<TARGET_FILE:armature> manual | ${GZIP} -9n >${extras}/armature.1.gz
  DEPENDS armature)
foreach(verb ${verbs})
  add_custom_command(OUTPUT ${extras}/armature-${verb}.1.gz
    COMMAND ${CMAKE_COMMAND} -E make_directory ${extras}
    COMMAND $<TARGET_FILE:armature> manual ${verb} | ${GZIP} -9n >${extras}/armature-${verb}.1.gz
    DEPENDS armature)
endforeach()
foreach(shell bash zsh fish)
  add_custom_command(OUTPUT ${extras}/${shell}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${extras}
    COMMAND $<TARGET_FILE:armature> completions ${shell} >${extras}/${shell}
    DEPENDS armature)
endforeach()
add_custom_target(package_files DEPENDS ${manual_pages} ${extras}/bash ${extras}/zsh ${extras}/fish)

# Plugins lie in lib/armature, and so do the libraries of others that the tar.gz carries; a .deb names its dependencies instead.
# An RPATH, unlike a RUNPATH, also holds for the libraries of these libraries.
set_target_properties(armature PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/armature")
target_link_options(armature PRIVATE -Wl,--disable-new-dtags)
install(TARGETS armature RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS armature_fmu_host RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/armature)
install(DIRECTORY models gallery DESTINATION ${armature_data})
install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${extras}/bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME armature OPTIONAL)
install(FILES ${extras}/zsh DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions RENAME _armature OPTIONAL)
install(FILES ${extras}/fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d RENAME armature.fish OPTIONAL)
armature_notices(program ${CMAKE_BINARY_DIR}/THIRD_PARTY_NOTICES)
install(FILES README.md CHANGELOG.md ${CMAKE_BINARY_DIR}/THIRD_PARTY_NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN pictures EXCLUDE PATTERN tables EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/build/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html OPTIONAL)  # made by ./go docs

# Shared libraries beside the program with their notices, all but those that every Debian 12 has. HDF5 is left out: it brings half a web browser, and
# without it results are written as CSV.
list(TRANSFORM plugins REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE plugin_files)
list(JOIN plugin_files " " plugin_files)
install(CODE "
    file(GET_RUNTIME_DEPENDENCIES RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
      EXECUTABLES $<TARGET_FILE:armature> MODULES ${plugin_files}
      POST_EXCLUDE_REGEXES [[/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+))\\.so]])
    foreach(library \${found})
      file(INSTALL \${library} DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/armature FOLLOW_SYMLINK_CHAIN)
    endforeach()
    include(${CMAKE_SOURCE_DIR}/cmake/notices.cmake)
    armature_notices(bundle \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/armature/THIRD_PARTY_NOTICES \${found})" COMPONENT bundle EXCLUDE_FROM_ALL)

# HDF5 is loaded when it is needed, which shlibdeps cannot see.
file(REAL_PATH ${HDF5_LIBRARY} hdf5_real)
execute_process(COMMAND dpkg-query -S ${hdf5_real} OUTPUT_VARIABLE hdf5_package ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE ":.*" "" hdf5_package "${hdf5_package}")

set(CPACK_PACKAGE_NAME armature)
set(CPACK_PACKAGE_VENDOR "Armature")
set(CPACK_PACKAGE_CONTACT "The Armature authors <authors@armature.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulates and analyzes mechanisms with closed kinematic loops")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Linkages, parallel robots, presses and cranes with rigid and flexible links,\n motors, gears and controllers: one readable model file, one program, one report.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${hdf5_package}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package_kinds.cmake)
include(CPack)
