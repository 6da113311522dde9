#include "conformance/cli/input/input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "codec/base/composed_source.hpp"
#include "codec/base/text.hpp"
#include "codec/encryption/file_keys.hpp"
#include "conformance/cli/terminal.hpp"

namespace parqproof::cli {
namespace {

/// Standard input stays in memory up to this many bytes.
constexpr std::size_t kInMemory = std::size_t{64} << 20;

/// A Source that owns its bytes in memory.
class OwnedSource final : public Source {
 public:
  explicit OwnedSource(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)), view_(bytes_) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return view_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    return view_.read(offset, into);
  }

 private:
  std::vector<std::uint8_t> bytes_;
  MemorySource view_;
};

/// Reads until `bytes` is full or the input ends; returns the number of bytes, or -1.
ssize_t read_some(std::span<std::uint8_t> bytes) {
  std::size_t held = 0;
  while (held < bytes.size()) {
    const ssize_t got = ::read(STDIN_FILENO, bytes.data() + held, bytes.size() - held);
    if (got < 0 && errno == EINTR && !cancelled()) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    held += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(held);
}

bool write_all(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// Writes the bytes read so far, and the rest of standard input, to a temporary file without a name.
std::unique_ptr<Source> spool(std::vector<std::uint8_t> chunk, std::string& why) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/parqproof-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    why = "no temporary file for it: " + std::string(std::strerror(errno));
    return nullptr;
  }
  std::unique_ptr<Source> source;
  ssize_t got = static_cast<ssize_t>(chunk.size());
  while (got > 0 && write_all(descriptor, {chunk.data(), static_cast<std::size_t>(got)}))
    got = read_some(chunk);
  if (got == 0) {
    source = FileSource::open(path, why);
  } else {
    why = std::strerror(errno);
  }
  ::close(descriptor);
  ::unlink(path.c_str());
  return source;
}

std::unique_ptr<Source> standard_input(std::string& why) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t room = std::size_t{1} << 16;; room *= 2) {
    const std::size_t held = bytes.size();
    bytes.resize(std::min(room, kInMemory));
    const ssize_t got = read_some({bytes.data() + held, bytes.size() - held});
    if (got < 0) {
      why = std::strerror(errno);
      return nullptr;
    }
    if (cancelled()) {
      why = "stopped before its end";
      return nullptr;
    }
    if (static_cast<std::size_t>(got) < bytes.size() - held) {
      bytes.resize(held + static_cast<std::size_t>(got));
      return std::make_unique<OwnedSource>(std::move(bytes));
    }
    if (bytes.size() == kInMemory) return spool(std::move(bytes), why);
  }
}

}  // namespace

std::unique_ptr<Source> open_input(const std::string& path, std::string& why) {
  if (path == kStandardInput) return standard_input(why);
  return FileSource::open(path, why);
}

std::unique_ptr<Source> open_input(const std::string& path, const Keys& keys, std::string& why) {
  std::unique_ptr<Source> file = open_input(path, why);
  if (file == nullptr || keys == nullptr) return file;
  return std::make_unique<encryption::KeyedSource>(std::move(file),
                                                   path == kStandardInput ? keys : keys_for_file(path, keys));
}

FooterInput open_input(const std::string& path, std::optional<std::uint64_t> footer_at, std::string& why) {
  return open_input(path, footer_at, nullptr, why);
}

FooterInput open_input(const std::string& path, std::optional<std::uint64_t> footer_at, const Keys& keys,
                       std::string& why) {
  FooterInput input{open_input(path, keys, why), nullptr};
  if (input.file == nullptr || !footer_at) return input;
  if (*footer_at > input.file->size()) {
    why = "the file ends before the requested footer";
    input.file = nullptr;
  } else {
    auto cut = std::make_unique<ComposedSource>();
    cut->add(*input.file, 0, *footer_at);
    input.cut = std::move(cut);
  }
  return input;
}

std::optional<std::vector<std::uint8_t>> read_input(const std::string& path, std::uint64_t most,
                                                    std::string& why) {
  const std::unique_ptr<Source> source = open_input(path, why);
  if (source == nullptr) return std::nullopt;
  if (source->size() > most) {
    why = "it has " + counted(source->size(), "byte") + "; at most " + std::to_string(most) + " are read";
    return std::nullopt;
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(source->size()));
  if (!source->read(0, bytes)) {
    why = "it could not be read to its end";
    return std::nullopt;
  }
  return bytes;
}

}  // namespace parqproof::cli
