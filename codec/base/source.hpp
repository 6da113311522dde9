#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bytes.hpp"

namespace parqproof {

/// Random access to the bytes of one file. read() may be called from several threads at once.
class Source {
 public:
  virtual ~Source() = default;

  /// Size in bytes when it was opened.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Fills `into` from `offset`; false where the bytes cannot be had (I/O error, or the file has shrunk).
  [[nodiscard]] virtual bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept = 0;
};

/// Bytes in memory that outlive the Source.
class MemorySource final : public Source {
 public:
  explicit MemorySource(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;

 private:
  std::span<const std::uint8_t> bytes_;
};

/// A source that knows whether a read has failed, so that nobody who reads it has to say so. The other
/// outlives it.
class WatchedSource final : public Source {
 public:
  explicit WatchedSource(const Source& source) noexcept : source_(source) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;
  /// Whether bytes inside of the source could not be had so far.
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }

 private:
  const Source& source_;
  mutable std::atomic<bool> failed_{false};
};

/// A regular file, read by pread; the descriptor is closed at the end.
class FileSource final : public Source {
 public:
  /// Opens `path`; on failure null, and `why` says in words what is in the way (missing, a directory, a FIFO
  /// ...).
  [[nodiscard]] static std::unique_ptr<FileSource> open(const std::string& path, std::string& why);
  /// The same for a descriptor, which is closed in either case.
  [[nodiscard]] static std::unique_ptr<FileSource> adopt(int descriptor, std::string& why);
  /// What a mode of stat(2) that is no regular file's stands for, in words.
  [[nodiscard]] static std::string_view why_not_regular(unsigned mode) noexcept;
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  /// Device and inode: which file it is, whatever it is called.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] Identity identity() const noexcept { return identity_; }

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;

 private:
  FileSource(int descriptor, std::uint64_t size, Identity identity) noexcept
      : descriptor_(descriptor), size_(size), identity_(std::move(identity)) {}
  int descriptor_;
  std::uint64_t size_;
  Identity identity_;
};

/// A sliding window over a Source: the bytes of the last view() stay valid until the next one. Its memory is
/// reused and grows to the largest view asked for.
class Window {
 public:
  explicit Window(const Source& source) noexcept : source_(&source) {}

  /// The bytes [offset, offset + count), which the caller knows to lie inside the source; an empty span where
  /// they cannot be read (failed() tells). `ahead` more bytes are read with them where the file has them.
  [[nodiscard]] View view(std::uint64_t offset, std::uint64_t count, std::uint64_t ahead = 0);
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] const Source& source() const noexcept { return *source_; }

 private:
  const Source* source_;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::uint64_t capacity_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t held_ = 0;
  bool failed_ = false;
};

}  // namespace parqproof
