#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"

/// The files that a command line names.
namespace parqproof::cli {

/// Stands for standard input among the paths.
inline constexpr const char* kStandardInput = "-";

/// Opens a regular file; standard input is first read to its end, into memory or, if it is long, into a
/// temporary file that has no name. On failure null, and `why` says in words what is in the way.
[[nodiscard]] std::unique_ptr<Source> open_input(const std::string& path, std::string& why);

/// All bytes of a regular file or of standard input, if they are at most `most`; otherwise nothing, and `why`
/// says in words what is in the way.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> read_input(const std::string& path, std::uint64_t most,
                                                                  std::string& why);

}  // namespace parqproof::cli
