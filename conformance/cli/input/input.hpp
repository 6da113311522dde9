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

/// The first `size` bytes of `whole`, which outlives it.
class CutSource final : public Source {
 public:
  CutSource(const Source& whole, std::uint64_t size) noexcept : whole_(whole), size_(size) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;

 private:
  const Source& whole_;
  std::uint64_t size_;
};

/// A file as it is read with --footer-at: as if it ended there.
struct FooterInput {
  std::unique_ptr<Source> whole;  ///< null where it could not be opened, or is shorter
  std::unique_ptr<Source> cut;    ///< null without the option

  [[nodiscard]] const Source& source() const noexcept { return cut != nullptr ? *cut : *whole; }
};
[[nodiscard]] FooterInput open_input(const std::string& path, std::optional<std::uint64_t> footer_at,
                                     std::string& why);

/// All bytes of a regular file or of standard input, if they are at most `most`; otherwise nothing, and `why`
/// says in words what is in the way.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> read_input(const std::string& path, std::uint64_t most,
                                                                  std::string& why);

}  // namespace parqproof::cli
