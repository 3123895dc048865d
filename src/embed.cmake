# Writes a source that holds a header as text, with the headers of this project that it includes: each once, in the order in which
# a compiler reads them, without #include and #pragma once. What is written once for each row of step/kernels.def,
#
#   #define OUTPUT(name, size) TEXT
#   #include "step/kernels.def"
#
# stands there as so many lines. TEXT may stand in a line of its own, behind a backslash.
#
#   cmake -D ROOT=src -D HEADER=step/exported.hpp -D NAME=step_text -D OUTPUT=step_text.cpp -P embed.cmake
cmake_minimum_required(VERSION 3.25)
set(text "")
set(done "")

file(READ ${ROOT}/step/kernels.def rows)

# Each OUTPUT, INPUT or KERNEL of the list with its name in the place of `name`.
function(write_rows_out text result)
  while(text MATCHES "#define (OUTPUT|INPUT|KERNEL)\\(name, [^)]*\\) (\\\\\n *)?([^\n]*)\n#include \"step/kernels.def\"\n")
    set(found "${CMAKE_MATCH_0}")
    set(pattern "${CMAKE_MATCH_3}")
    string(REGEX MATCHALL "\n${CMAKE_MATCH_1}\\([a-z_]+" names "${rows}")
    set(lines "")
    foreach(name ${names})
      string(REGEX REPLACE ".*\\(" "" name "${name}")
      string(REGEX REPLACE "([^a-zA-Z_])name([^a-zA-Z_])" "\\1${name}\\2" line "${pattern}")
      string(APPEND lines "  ${line}\n")
    endforeach()
    string(REPLACE "${found}" "${lines}" text "${text}")
  endwhile()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(append header)
  if(header IN_LIST done)
    return()
  endif()
  list(APPEND done ${header})
  file(READ ${ROOT}/${header} own)
  write_rows_out("${own}" own)
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
