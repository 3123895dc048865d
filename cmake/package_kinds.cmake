# Read by CPack for each kind of package: only the tar.gz carries libraries of others, and a folder of its own around everything.
list(REMOVE_ITEM CPACK_COMPONENTS_ALL python)  # a wheel carries it: ./go wheel
if(CPACK_GENERATOR STREQUAL "DEB")
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL bundle)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY OFF)
endif()
