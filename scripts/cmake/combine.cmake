# What sources share is compiled once in full builds. A build with a compiler cache compiles each source alone; scripts/lint/tidy
# does too, and so detects missing includes.
option(PARQPROOF_COMBINE "Precompile headers, and combine sources; the default unless there is a compiler cache" ON)
if(PARQPROOF_COMBINE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(parqproof_combines ON)
endif()
# clang takes the aliases of one source for shadowed by those of the next; g++ looks for true shadows.
if(parqproof_combines AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(parqproof_warnings INTERFACE -Wno-shadow)
endif()

# precompile(TARGET HEADER...): headers that most sources of the target include.
function(precompile target)
  if(parqproof_combines)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# combine(TARGET SOURCE...): up to 16 sources of a folder are one unit, so names of its unnamed namespaces differ: what a new
# source can collide with is next to it.
function(combine target)
  if(parqproof_combines)
    foreach(source IN LISTS ARGN)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      math(EXPR count_${folder} "0${count_${folder}} + 1")
      math(EXPR unit "${count_${folder}} / 16")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${unit})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()
