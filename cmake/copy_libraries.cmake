# Copies the shared libraries that MODULE, and PLUGIN beside it, need into their folder, all but those that every Linux with its C++ library has.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET MODULE PARENT_PATH folder)
file(GET_RUNTIME_DEPENDENCIES RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing MODULES ${MODULE} ${folder}/${PLUGIN}
  POST_EXCLUDE_REGEXES [[/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|asan|ubsan|tsan))\.so]])
foreach(library ${found})
  cmake_path(GET library FILENAME name)
  if(NOT EXISTS ${folder}/${name})
    file(COPY ${library} DESTINATION ${folder} FOLLOW_SYMLINK_CHAIN)
    file(REAL_PATH ${library} real)
    cmake_path(GET real FILENAME real_name)
    if(NOT real_name STREQUAL name)  # one file under the name that the module asks for: an archive has no links
      file(REMOVE ${folder}/${name})
      file(RENAME ${folder}/${real_name} ${folder}/${name})
    endif()
  endif()
endforeach()
