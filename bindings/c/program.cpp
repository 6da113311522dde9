#include "conformance/cli/program.hpp"

#include "bindings/c/parqproof.h"

/// The program `parqproof`, for what the wheel installs. It is not a part of the interface: it takes over the
/// signals of its process.
extern "C" PARQPROOF_API int parqproof_main(int argc, char** argv);

int parqproof_main(int argc, char** argv) { return parqproof::cli::run_program(argc, argv); }
