# precompile(TARGET HEADER...): the sanitizer builds, which are made from nothing, read what most sources of a target include
# once. The release build does not, so that a source that lacks an include is noticed; nor does a build with a compiler
# cache, which knows sources one by one.
function(precompile target)
  if(CMAKE_BUILD_TYPE MATCHES "^(Fuzz|Thread)$" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

