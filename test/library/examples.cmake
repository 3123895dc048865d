# Installs the library into a folder of its own, builds examples/ as a project of its own against it, and runs the programs.
#
#   cmake -D BUILD=build/release -D EXAMPLES=examples -P examples.cmake
cmake_minimum_required(VERSION 3.25)
set(prefix ${BUILD}/examples/installed)
set(build ${BUILD}/examples/build)
file(REMOVE_RECURSE ${prefix} ${build})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${code}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}, but the program printed\n${output}")
  endif()
  message("${output}")
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${prefix})
run(${CMAKE_COMMAND} -G Ninja -S ${EXAMPLES} -B ${build} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${build})

# The cart has come to rest at 1 m, and the pendulum hangs.
run(${build}/host_controller ${EXAMPLES}/cart.yaml)
expect("t = 5 s: travel = 0\\.999808 m, swing = 0\\.000104 rad")
run(${build}/thousand_runs ${EXAMPLES}/cart.yaml)
expect("1000 runs: the pendulum swings by 0\\.5304 to 0\\.8092 rad")
run(${build}/pendulum ${EXAMPLES}/cart.yaml)
expect("t = 0\\.5 s: travel = 0\\.520626 m")

# The same by pkg-config.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB_RECURSE description ${prefix}/*/armature.pc)
  cmake_path(GET description PARENT_PATH folder)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} sh -c
      "cc ${EXAMPLES}/pendulum.c $(${PKG_CONFIG} --cflags --libs armature) -o ${build}/by_pkg_config")
endif()
