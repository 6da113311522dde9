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

namespace encryption {
class FileKeys;
}  // namespace encryption

/// Random access to the bytes of one file. read() is safe to call from several threads at once.
class Source {
 public:
  virtual ~Source() = default;

  /// Size in bytes at the time of opening.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Fills `into` with the bytes at `offset`. Returns false on an I/O error or if the file has shrunk.
  [[nodiscard]] virtual bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept = 0;

  /// The keys that the caller has for the modules of the file (codec/encryption/file_keys.hpp); null if none.
  [[nodiscard]] virtual encryption::FileKeys* keys() const noexcept { return nullptr; }
};

/// A source over bytes in memory. The caller keeps the bytes alive.
class MemorySource final : public Source {
 public:
  explicit MemorySource(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;

 private:
  std::span<const std::uint8_t> bytes_;
};

/// A source that records whether a read has failed, so that its readers need not report it. The caller keeps
/// the wrapped source alive.
class WatchedSource final : public Source {
 public:
  explicit WatchedSource(const Source& source) noexcept : source_(source) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;
  /// Returns true if a read inside the bounds of the source has failed.
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
  [[nodiscard]] encryption::FileKeys* keys() const noexcept override { return source_.keys(); }

 private:
  const Source& source_;
  mutable std::atomic<bool> failed_{false};
};

/// A regular file, read by pread. Owns its descriptor.
class FileSource final : public Source {
 public:
  /// Opens `path`. Returns null on failure and sets `why` to the reason: missing, a directory, a FIFO ...
  [[nodiscard]] static std::unique_ptr<FileSource> open(const std::string& path, std::string& why);
  /// Takes ownership of a descriptor, also on failure. Returns null on failure and sets `why` to the reason.
  [[nodiscard]] static std::unique_ptr<FileSource> adopt(int descriptor, std::string& why);
  /// Describes the type of a file that is not regular, from its stat(2) mode.
  [[nodiscard]] static std::string_view why_not_regular(unsigned mode) noexcept;
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  /// Device and inode, which identify a file under any of its names.
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

/// A sliding window over a Source. The bytes of the last view() are valid until the next view(). Its memory
/// is reused and grows to the size of the largest view.
class Window {
 public:
  /// The memory of a window, for a later one.
  struct Room {
    std::unique_ptr<std::uint8_t[]> buffer;
    std::uint64_t capacity = 0;
  };

  explicit Window(const Source& source) noexcept : source_(&source) {}
  Window(const Source& source, Room room) noexcept
      : source_(&source), buffer_(std::move(room.buffer)), capacity_(room.capacity) {}

  /// Returns the bytes [offset, offset + count), which must be inside the source. On a read error returns an
  /// empty view and failed() is true. Reads up to `ahead` more bytes for later views.
  [[nodiscard]] View view(std::uint64_t offset, std::uint64_t count, std::uint64_t ahead = 0);
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] const Source& source() const noexcept { return *source_; }
  /// Ends the window.
  [[nodiscard]] Room release() noexcept { return {std::move(buffer_), std::exchange(capacity_, 0)}; }

 private:
  const Source* source_;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::uint64_t capacity_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t held_ = 0;
  bool failed_ = false;
};

}  // namespace parqproof
