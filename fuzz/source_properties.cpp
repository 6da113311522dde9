// Properties of sources of bytes: a file on disk and bytes in memory are the same to a reader.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "codec/base/source.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr unsigned kViews = 24;

/// A file without a name that contains the bytes; null if the system refuses one.
std::unique_ptr<FileSource> file_of(std::span<const std::uint8_t> bytes) {
  const int descriptor = ::memfd_create("parqproof", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  if (::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    ::close(descriptor);
    return nullptr;
  }
  std::string why;
  // Opens the file by a path, like a user's file, and by its descriptor.
  const auto again = FileSource::open("/proc/self/fd/" + std::to_string(descriptor), why);
  auto file = FileSource::adopt(descriptor, why);
  return again != nullptr && file != nullptr && again->identity() == file->identity() ? std::move(file)
                                                                                      : nullptr;
}

/// Numbers below a bound, drawn from the tail of an input.
class DrawnNumbers {
 public:
  explicit DrawnNumbers(const Tail& tail)
      : state_(tail.count() << 32 | std::uint64_t{tail.first()} << 16 | std::uint64_t{tail.width()} << 8 |
               tail.cuts()) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 0x5851'F42D'4C95'7F2D + 0x1405'7B7E'F767'814F;
    return (state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

/// Compares a view with its part of `bytes`; `inside` is false if there is no such part.
std::string view_fault(Window& window, std::span<const std::uint8_t> bytes, std::uint64_t offset,
                       std::uint64_t count, std::uint64_t ahead) {
  const bool inside = offset <= bytes.size() && count <= bytes.size() - offset;
  const View view = window.view(offset, count, ahead);
  if (window.failed() == inside)
    return inside ? "existing bytes cannot be read" : "bytes are read that do not exist";
  if (view.base != offset) return "a view has another offset than requested";
  if (!inside) return view.empty() ? "" : "a failed view has bytes";
  const auto part = bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
  return std::ranges::equal(view.bytes, part) ? "" : "a view has other bytes than the source";
}

std::string source_fault(std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const auto bytes = tail.payload();
  const std::unique_ptr<FileSource> file = file_of(bytes);
  if (file == nullptr) return "a file cannot be opened, or its path opens another one";
  const MemorySource memory(bytes);
  if (file->size() != bytes.size() || memory.size() != bytes.size()) return "a source has another size";
  Window of_file(*file);
  Window of_memory(memory);
  DrawnNumbers draw(tail);
  for (unsigned i = 0; i < kViews; ++i) {
    // Most views continue or overlap the previous one; some are partly after the end.
    const std::uint64_t offset = draw.below(bytes.size() + 2);
    const std::uint64_t count = draw.below(draw.below(4) == 0 ? bytes.size() + 2 : 40);
    const std::uint64_t ahead = draw.below(2) == 0 ? 0 : draw.below(64);
    std::string fault = view_fault(of_file, bytes, offset, count, ahead);
    if (fault.empty()) fault = view_fault(of_memory, bytes, offset, count, ahead);
    if (!fault.empty()) return fault;
    std::vector<std::uint8_t> into(static_cast<std::size_t>(count));
    const bool inside = offset <= bytes.size() && count <= bytes.size() - offset;
    if (count != 0 && (file->read(offset, into) != inside || memory.read(offset, into) != inside))
      return "a source reads bytes that it does not have, or refuses bytes that it has";
  }
  return {};
}

}  // namespace

void add_source_properties(std::vector<Property>& properties) {
  properties.push_back({"source", source_fault});
}

}  // namespace parqproof::fuzz
