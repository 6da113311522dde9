#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace parqproof {

/// Writes text to a file descriptor, to a function, or into a string. After the other end is closed (a closed
/// pipe), output is discarded, so that callers need not check after each line.
class Out {
 public:
  /// Buffers for `descriptor`, which must stay open. The program ignores SIGPIPE.
  explicit Out(int descriptor) noexcept : descriptor_(descriptor) {}
  /// Buffers for a function, which returns false to close the output.
  explicit Out(std::function<bool(std::string_view)> write) noexcept : write_(std::move(write)) {}
  /// Appends to `text`, which outlives this object.
  explicit Out(std::string& text) noexcept : text_(&text) {}
  ~Out() { flush(); }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;

  Out& operator<<(std::string_view text);
  void flush();

  /// Returns true if the other end is closed; writers of much output may stop then.
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  /// The error number if output was lost for another reason than a closed pipe (a full disk), else 0.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  std::string buffer_;
  std::string* text_ = nullptr;
  std::function<bool(std::string_view)> write_;
  int descriptor_ = -1;
  int error_ = 0;
  bool closed_ = false;
};

}  // namespace parqproof
