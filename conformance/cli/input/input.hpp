#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/options/key_files.hpp"

/// Opens the files of a command line.
namespace parqproof::cli {

/// Path that means standard input.
inline constexpr const char* kStandardInput = "-";

/// Opens a regular file. Standard input is first read to its end, into memory or, if it is long, into a
/// temporary file without a name. On failure returns null, and `why` is the message.
[[nodiscard]] std::unique_ptr<Source> open_input(const std::string& path, std::string& why);

/// Opens a file that may be encrypted with these keys.
[[nodiscard]] std::unique_ptr<Source> open_input(const std::string& path, const Keys& keys, std::string& why);

/// A file cut off at the end of an earlier footer by --footer-at.
struct FooterInput {
  std::unique_ptr<Source> file;  ///< null if it could not be opened, or is shorter
  std::unique_ptr<Source> cut;   ///< null without the option

  [[nodiscard]] const Source& source() const noexcept { return cut != nullptr ? *cut : *file; }
};
[[nodiscard]] FooterInput open_input(const std::string& path, std::optional<std::uint64_t> footer_at,
                                     std::string& why);
[[nodiscard]] FooterInput open_input(const std::string& path, std::optional<std::uint64_t> footer_at,
                                     const Keys& keys, std::string& why);

/// All bytes of a regular file or of standard input, if they are at most `most`; otherwise empty, and `why`
/// is the message.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> read_input(const std::string& path, std::uint64_t most,
                                                                  std::string& why);

}  // namespace parqproof::cli
