#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bindings/c/calls.hpp"
#include "codec/base/folder.hpp"
#include "codec/base/source.hpp"

namespace parqproof::c {

/// A source with the callbacks of the caller, which are called by one thread at a time. After the first
/// failure no more are called.
class ReaderSource final : public Source {
 public:
  explicit ReaderSource(const parqproof_reader* reader);

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;
  /// The result of the callback that has failed, or 0.
  [[nodiscard]] std::int32_t code() const noexcept { return code_.load(); }

 private:
  parqproof_reader reader_;
  std::uint64_t size_ = 0;
  mutable std::mutex mutex_;
  mutable std::atomic<std::int32_t> code_{0};
};

}  // namespace parqproof::c

struct parqproof_file {
  std::string name;
  std::string path;                                    ///< of a file that was opened by path; else empty
  std::unique_ptr<parqproof::Source> source;           ///< with the keys
  std::unique_ptr<parqproof::Source> cut;              ///< with an earlier footer: the bytes up to its end
  const parqproof::c::ReaderSource* reader = nullptr;  ///< of a file with callbacks
  std::optional<std::uint64_t> footer_at;

  /// The bytes up to the footer to read with.
  [[nodiscard]] const parqproof::Source& up_to_footer() const noexcept {
    return cut != nullptr ? *cut : *source;
  }
  /// The folder of a file that was opened by path, or null.
  [[nodiscard]] std::unique_ptr<parqproof::Folder> folder() const;
  /// Throws if a callback of the reader has failed.
  void require_read() const;
};
