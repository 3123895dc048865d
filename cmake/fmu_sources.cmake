# Copies the sources of the binary of FMUs, so that an archive can be compiled for another platform: the folders of src/ that it is made of,
# a generated text, and a CMakeLists.txt that builds them.
#
#   cmake -D ROOT=checkout -D "ROOMS=step linear …" -D TEXT=elementary_text.cpp -D VERSION=0.1.0 -D TO=fmu/sources -P fmu_sources.cmake
cmake_minimum_required(VERSION 3.25)
separate_arguments(rooms UNIX_COMMAND "${ROOMS}")
set(copied "")
function(copy from to)
  file(COPY_FILE ${from} ${TO}/${to} ONLY_IF_DIFFERENT)
  set(copied "${copied};${TO}/${to}" PARENT_SCOPE)
endfunction()
foreach(room ${rooms} integrate/plugin fmi/binary precompiled)
  file(MAKE_DIRECTORY ${TO}/${room})
  file(GLOB files RELATIVE ${ROOT}/src ${ROOT}/src/${room}/*.cpp ${ROOT}/src/${room}/*.hpp ${ROOT}/src/${room}/*.h
       ${ROOT}/src/${room}/*.def)
  list(FILTER files EXCLUDE REGEX "export_fmu|installed_file|precompiled\\.cpp")  # an FMU exports no other one
  foreach(file ${files})
    copy(${ROOT}/src/${file} ${file})
  endforeach()
endforeach()
file(MAKE_DIRECTORY ${TO}/texts)
copy(${TEXT} texts/elementary_text.cpp)
copy(${ROOT}/LICENSE LICENSE)
list(REMOVE_ITEM rooms expression)
string(JOIN " " ARMATURE_ROOMS ${rooms} integrate/plugin fmi/binary)
configure_file(${ROOT}/cmake/fmu_sources.txt.in ${TO}/CMakeLists.txt @ONLY)
# what an earlier build has left
file(GLOB_RECURSE present ${TO}/*)
list(REMOVE_ITEM present ${copied} ${TO}/CMakeLists.txt)
if(present)
  file(REMOVE ${present})
endif()
