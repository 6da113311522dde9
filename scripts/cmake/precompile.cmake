# precompile(TARGET HEADER...): headers that most sources of a target include are parsed once, in full builds. A build with a
# compiler cache compiles each source alone; scripts/lint/tidy does too, and so detects missing includes.
option(PARQPROOF_PRECOMPILE "Precompile headers; the default unless there is a compiler cache" ON)
function(precompile target)
  if(PARQPROOF_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
