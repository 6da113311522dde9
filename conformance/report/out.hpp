#pragma once

#include <string>
#include <string_view>

namespace parqproof {

/// Text on its way to a file descriptor, or into a string. Once the other end is gone (a closed pipe)
/// everything is taken and nothing is written, so that nobody has to ask after each line.
class Out {
 public:
  /// Buffers for `descriptor`, which stays open. The program ignores SIGPIPE.
  explicit Out(int descriptor) noexcept : descriptor_(descriptor) {}
  /// Appends to `text`, which outlives it.
  explicit Out(std::string& text) noexcept : text_(&text) {}
  ~Out() { flush(); }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;

  Out& operator<<(std::string_view text);
  void flush();

  /// Nothing that is written now can arrive: whoever makes much output may stop.
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  /// Something was lost for another reason than a closed pipe (a full disk): the reason, else 0.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  std::string buffer_;
  std::string* text_ = nullptr;
  int descriptor_ = -1;
  int error_ = 0;
  bool closed_ = false;
};

}  // namespace parqproof
