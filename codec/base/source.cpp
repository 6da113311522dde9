#include "codec/base/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace parqproof {

bool MemorySource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > bytes_.size() || into.size() > bytes_.size() - offset) return false;
  if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return true;
}

bool WatchedSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (source_.read(offset, into)) return true;
  if (offset <= size() && into.size() <= size() - offset) failed_.store(true, std::memory_order_relaxed);
  return false;
}

std::unique_ptr<FileSource> FileSource::open(const std::string& path, std::string& why) {
  // O_NONBLOCK keeps open() from waiting at a FIFO without a writer; it has no effect on regular files.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) return adopt(descriptor, why);
  why = std::strerror(errno);
  return nullptr;
}

std::unique_ptr<FileSource> FileSource::adopt(int descriptor, std::string& why) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) {
    why = std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    why = why_not_regular(status.st_mode);
  } else {
    return std::unique_ptr<FileSource>(new FileSource(descriptor, static_cast<std::uint64_t>(status.st_size),
                                                      {status.st_dev, status.st_ino}));
  }
  ::close(descriptor);
  return nullptr;
}

std::string_view FileSource::why_not_regular(unsigned mode) noexcept {
  if (S_ISDIR(mode)) return "is a directory";
  if (S_ISFIFO(mode))
    return "is a FIFO, which cannot be read from its end; use '-' and feed it to standard input";
  return "is not a regular file";
}

FileSource::~FileSource() { ::close(descriptor_); }

bool FileSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  while (!into.empty()) {
    const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

View Window::view(std::uint64_t offset, std::uint64_t count, std::uint64_t ahead) {
  failed_ = false;
  if (offset >= base_ && offset - base_ <= held_ && count <= held_ - (offset - base_)) {
    return {{buffer_.get() + (offset - base_), static_cast<std::size_t>(count)}, offset, Space::file};
  }
  const std::uint64_t size = source_->size();
  if (offset > size || count > size - offset) {
    failed_ = true;
    return {{}, offset, Space::file};
  }
  const std::uint64_t want = std::min(count + ahead, size - offset);
  if (want > capacity_) {
    capacity_ = std::min(want + want / 8, size);  // slightly larger pages need no reallocation
    buffer_.reset(new std::uint8_t[static_cast<std::size_t>(capacity_)]);
    held_ = 0;
  }
  // Bytes that the window already has are kept, so that sliding by less than its length reads only the new
  // bytes.
  std::uint64_t kept = 0;
  if (held_ != 0 && offset >= base_ && offset - base_ < held_) {
    kept = std::min(held_ - (offset - base_), want);
    std::memmove(buffer_.get(), buffer_.get() + (offset - base_), static_cast<std::size_t>(kept));
  }
  base_ = offset;
  held_ = 0;
  if (!source_->read(offset + kept, {buffer_.get() + kept, static_cast<std::size_t>(want - kept)})) {
    failed_ = true;
    return {{}, offset, Space::file};
  }
  held_ = want;
#if defined(PARQPROOF_FUZZ)
  if (capacity_ > held_)
    std::memset(buffer_.get() + held_, 0xA5, static_cast<std::size_t>(capacity_ - held_));
#endif
  return {{buffer_.get(), static_cast<std::size_t>(count)}, offset, Space::file};
}

}  // namespace parqproof
