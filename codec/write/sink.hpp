#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parqproof {

/// Success, or the reason why nothing more can be written, in words for a person.
using WriteStatus = std::expected<void, std::string>;

/// Takes the bytes of a file, from the first to the last.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Appends the bytes. After a failure the caller writes no more.
  [[nodiscard]] virtual WriteStatus write(std::span<const std::uint8_t> bytes) = 0;
};

/// Appends to a vector. The caller keeps it alive.
class MemorySink final : public Sink {
 public:
  explicit MemorySink(std::vector<std::uint8_t>& out) noexcept : out_(&out) {}
  [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes) override {
    out_->insert(out_->end(), bytes.begin(), bytes.end());
    return {};
  }

 private:
  std::vector<std::uint8_t>* out_;
};

/// A file that appears at its path only when it is complete: until commit() its bytes are in a temporary file
/// of the same folder, which is removed if there is no commit().
class FileSink final : public Sink {
 public:
  /// Creates the temporary file. Fails if the path leads to the file at `input`, or to none that is regular.
  [[nodiscard]] static std::expected<std::unique_ptr<FileSink>, std::string> create(
      const std::string& path, const std::string& input = {});
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes) override;
  /// Writes what is buffered, and gives the file its path, where it replaces an older one.
  [[nodiscard]] WriteStatus commit();

 private:
  FileSink(int descriptor, std::string path, std::string temporary);
  [[nodiscard]] WriteStatus put(std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::unexpected<std::string> failure(std::string_view call) const;

  int descriptor_;
  std::string path_;
  std::string temporary_;
  std::vector<std::uint8_t> buffer_;
};

}  // namespace parqproof
