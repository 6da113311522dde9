#include "codec/write/sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace parqproof {
namespace {

constexpr std::size_t kBuffered = std::size_t{1} << 20;
constexpr std::size_t kDirect = std::size_t{1} << 16;  // as many bytes or more are not copied to the buffer
constexpr std::string_view kSuffix = ".XXXXXX";

/// The permissions that a new file gets: mkstemp() gives the owner alone any.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

FileSink::FileSink(int descriptor, std::string path, std::string temporary)
    : descriptor_(descriptor), path_(std::move(path)), temporary_(std::move(temporary)) {
  buffer_.reserve(kBuffered);
}

FileSink::~FileSink() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

std::expected<std::unique_ptr<FileSink>, std::string> FileSink::create(const std::string& path,
                                                                       const std::string& input) {
  struct stat at = {};
  struct stat from = {};
  const bool exists = ::stat(path.c_str(), &at) == 0;
  if (exists && !S_ISREG(at.st_mode)) return std::unexpected(path + ": not a regular file");
  if (exists && !input.empty() && ::stat(input.c_str(), &from) == 0 && at.st_dev == from.st_dev &&
      at.st_ino == from.st_ino)
    return std::unexpected(path + ": is the input, which is never replaced");
  std::string temporary = path;
  temporary += kSuffix;
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) return std::unexpected(path + ": " + std::strerror(errno));
  ::fchmod(descriptor, usual_mode());
  return std::unique_ptr<FileSink>(new FileSink(descriptor, path, std::move(temporary)));
}

std::unexpected<std::string> FileSink::failure(std::string_view call) const {
  return std::unexpected(path_ + ": " + std::string(call) + ": " + std::strerror(errno));
}

/// Writes what is buffered, and these bytes after it.
WriteStatus FileSink::put(std::span<const std::uint8_t> bytes) {
  std::span<const std::uint8_t> buffered(buffer_);
  while (!buffered.empty() || !bytes.empty()) {
    // writev() does not change the bytes.
    const std::array<iovec, 2> parts{{{const_cast<std::uint8_t*>(buffered.data()), buffered.size()},
                                      {const_cast<std::uint8_t*>(bytes.data()), bytes.size()}}};
    const ssize_t written = ::writev(descriptor_, parts.data(), static_cast<int>(parts.size()));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure("write");
    const auto done = static_cast<std::size_t>(written);
    const std::size_t first = std::min(done, buffered.size());
    buffered = buffered.subspan(first);
    bytes = bytes.subspan(done - first);
  }
  buffer_.clear();
  return {};
}

WriteStatus FileSink::write(std::span<const std::uint8_t> bytes) {
  if (bytes.size() >= kDirect || buffer_.size() + bytes.size() > kBuffered) return put(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

WriteStatus FileSink::commit() {
  if (WriteStatus flushed = put({}); !flushed) return flushed;
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) return failure("fsync");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failure("rename");
  ::close(std::exchange(descriptor_, -1));
  return {};
}

}  // namespace parqproof
