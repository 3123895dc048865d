# The shared library and what other projects need to find it: headers, find_package(armature), pkg-config.
include(CMakePackageConfigHelpers)

add_library(armature_shared SHARED $<TARGET_OBJECTS:armature_library>)
add_library(armature::armature ALIAS armature_shared)
target_link_libraries(armature_shared PRIVATE armature_inverse armature_modes armature_singular armature_tuning armature_identify armature_plan)
target_include_directories(armature_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(armature_shared INTERFACE cxx_std_20)
target_link_options(armature_shared PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL)

# Debian's asmjit is a static library whose code can go anywhere but for one variable of the C library, `stderr`, which it reaches in
# a way that only programs allow. A copy reaches one of our own instead.
if(TARGET asmjit::asmjit AND TARGET armature_expression)
  get_target_property(asmjit_file asmjit::asmjit LOCATION)
  set(relocatable ${CMAKE_BINARY_DIR}/libasmjit_relocatable.a)
  add_custom_command(OUTPUT ${relocatable} DEPENDS ${asmjit_file}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=armature_stderr ${asmjit_file} ${relocatable})
  add_custom_target(asmjit_relocatable DEPENDS ${relocatable})
endif()
function(armature_link_asmjit library)
  if(TARGET asmjit_relocatable)
    add_dependencies(${library} asmjit_relocatable)
    target_sources(${library} PRIVATE ${CMAKE_SOURCE_DIR}/src/library/shared/standard_error.cpp)
    target_link_libraries(${library} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,${CMAKE_BINARY_DIR}/libasmjit_relocatable.a>)
  endif()
endfunction()
armature_link_asmjit(armature_shared)
set_target_properties(armature_shared PROPERTIES OUTPUT_NAME armature EXPORT_NAME armature VERSION ${PROJECT_VERSION} INSTALL_RPATH "$ORIGIN/armature"
                      SOVERSION ${PROJECT_VERSION_MAJOR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/armature)
install(TARGETS armature_shared EXPORT armature COMPONENT library LIBRARY NAMELINK_COMPONENT library)
install(DIRECTORY include/armature TYPE INCLUDE COMPONENT library)
install(EXPORT armature NAMESPACE armature:: FILE armature-config.cmake DESTINATION ${package} COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/armature-config-version.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH ARMATURE_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/armature.pc.in ${CMAKE_BINARY_DIR}/armature.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/armature-config-version.cmake DESTINATION ${package} COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/armature.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
