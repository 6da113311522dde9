#include "conformance/cli/program.hpp"

int main(int argc, char** argv) { return parqproof::cli::run_program(argc, argv); }
