#include "conformance/report/out.hpp"

#include <unistd.h>

#include <cerrno>

namespace parqproof {
namespace {

constexpr std::size_t kBuffer = 1 << 16;

}  // namespace

Out& Out::operator<<(std::string_view text) {
  if (text_ != nullptr) {
    *text_ += text;
  } else if (!closed_) {
    buffer_ += text;
    if (buffer_.size() >= kBuffer) flush();
  }
  return *this;
}

void Out::flush() {
  if (write_ && !buffer_.empty() && !closed_) {
    closed_ = !write_(buffer_);
    buffer_.clear();
  }
  std::string_view left = buffer_;
  while (!left.empty() && !closed_) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      if (errno != EPIPE) error_ = errno;
      closed_ = true;
    }
  }
  buffer_.clear();
}

}  // namespace parqproof
