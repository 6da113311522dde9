# precompile(TARGET HEADER...): what most sources of a target include is read once, in builds from nothing. A build with a
# compiler cache knows sources one by one; scripts/lint/tidy reads them one by one, and so notices what they do not include.
option(PARQPROOF_PRECOMPILE "Precompile headers; the default unless there is a compiler cache" ON)
function(precompile target)
  if(PARQPROOF_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
