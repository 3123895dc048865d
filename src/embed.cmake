# Writes a source that holds a header as text, with the headers of this project that it includes: each once, in the order in which
# a compiler reads them, without #include and #pragma once.
#
#   cmake -D ROOT=src -D HEADER=step/exported.hpp -D NAME=step_text -D OUTPUT=step_text.cpp -P embed.cmake
cmake_minimum_required(VERSION 3.25)
set(text "")
set(done "")

function(append header)
  if(header IN_LIST done)
    return()
  endif()
  list(APPEND done ${header})
  file(READ ${ROOT}/${header} own)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${own}")
  foreach(include ${includes})
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" include "${include}")
    append(${include})
  endforeach()
  string(REGEX REPLACE "#include \"[^\n]*\n|#pragma once\n" "" own "${own}")
  string(REGEX REPLACE "\n\n\n+" "\n\n" own "${own}")
  set(text "${text}${own}\n" PARENT_SCOPE)
  set(done "${done}" PARENT_SCOPE)
endfunction()

append(${HEADER})
file(WRITE ${OUTPUT} "#include <string_view>\n\nnamespace armature::internal {\n\nextern const std::string_view ${NAME};\n"
     "const std::string_view ${NAME} = R\"armature(${text})armature\";\n\n}  // namespace armature::internal\n")
