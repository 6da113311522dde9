#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace parqproof::cli {

/// A file that appears at its path complete or not at all: it is written under another name in the same
/// folder, and renamed at the end. Without commit(), nothing remains.
class OutputFile {
 public:
  /// Creates the temporary file. `input`: the path of a file that must not be replaced; may be empty.
  OutputFile(std::string path, const std::string& input);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// The reason why the file cannot be written; empty if it can.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  /// Appends bytes. Returns false after an error.
  [[nodiscard]] bool write(std::span<const std::uint8_t> bytes);
  /// Makes the file appear. Returns false after an error.
  [[nodiscard]] bool commit();

 private:
  void fail(const char* what);

  std::string path_;
  std::string temporary_;
  std::string why_;
  int descriptor_ = -1;
};

}  // namespace parqproof::cli
