# The binary that every exported FMU carries: the engine behind the functions of FMI 2.0 and 3.0. `armature export --fmu` packs the
# folder fmu/ of the build (lib/armature/fmu where it is installed): the module, the libraries beside it that a host may not have, the
# sources of the module and the licenses of all that.
file(GLOB fmu_sources CONFIGURE_DEPENDS src/fmi/binary/*.cpp)
add_library(armature_fmu MODULE ${fmu_sources})
target_link_libraries(armature_fmu PRIVATE armature_fmi)
target_precompile_headers(armature_fmu REUSE_FROM armature_precompiled)
target_link_options(armature_fmu PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL -Wl,--disable-new-dtags
                    $<$<CONFIG:Release>:-s>)
add_dependencies(armature_fmu armature_plugin_sundials)
set_property(TARGET armature_fmu APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:armature_plugin_sundials>)
armature_link_asmjit(armature_fmu)
set(fmu_folder ${CMAKE_BINARY_DIR}/fmu)
set_target_properties(armature_fmu PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${fmu_folder} BUILD_RPATH "$ORIGIN"
                      INSTALL_RPATH "$ORIGIN")
add_custom_command(TARGET armature_fmu POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:armature_plugin_sundials> ${fmu_folder}
  COMMAND ${CMAKE_COMMAND} -D MODULE=$<TARGET_FILE:armature_fmu> -D PLUGIN=$<TARGET_FILE_NAME:armature_plugin_sundials>
          -P ${CMAKE_SOURCE_DIR}/cmake/copy_libraries.cmake)

# The rooms that the module is made of, as their libraries link each other.
function(armature_rooms_of library list)
  get_target_property(linked ${library} LINK_LIBRARIES)
  string(REPLACE "armature_" "" room ${library})
  list(APPEND ${list} ${room})
  foreach(other ${linked})
    if(other MATCHES "^armature_")
      armature_rooms_of(${other} ${list})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES ${list})
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
armature_rooms_of(armature_fmi fmu_rooms)
list(SORT fmu_rooms)
string(JOIN " " fmu_rooms ${fmu_rooms})
set(fmu_text ${CMAKE_BINARY_DIR}/texts/elementary_text.cpp)
add_custom_command(TARGET armature_fmu POST_BUILD
  COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_SOURCE_DIR} -D "ROOMS=${fmu_rooms}" -D TEXT=${fmu_text} -D VERSION=${PROJECT_VERSION}
          -D TO=${fmu_folder}/sources -P ${CMAKE_SOURCE_DIR}/cmake/fmu_sources.cmake)

# The standards of FMI want a license.txt.
file(READ LICENSE own_license)
file(CONFIGURE OUTPUT ${fmu_folder}/licenses/license.txt CONTENT "The engine of this FMU is Armature @PROJECT_VERSION@, whose license follows. \
The libraries in it and beside it have the notices in THIRD_PARTY_NOTICES.

@own_license@" @ONLY)
armature_notices(FMU ${fmu_folder}/licenses/THIRD_PARTY_NOTICES)

set(fmu_installed ${CMAKE_INSTALL_LIBDIR}/armature/fmu)
install(DIRECTORY ${fmu_folder}/ DESTINATION ${fmu_installed} USE_SOURCE_PERMISSIONS)
file(RELATIVE_PATH fmu_from_program /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${fmu_installed})
set_property(SOURCE src/fmi/export_fmu.cpp PROPERTY COMPILE_DEFINITIONS ARMATURE_FMU_INSTALLED="${fmu_from_program}"
             ARMATURE_FMU_BUILT="../../fmu")
