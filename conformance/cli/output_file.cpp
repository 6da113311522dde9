#include "conformance/cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace parqproof::cli {
namespace {

/// Permissions of a new file before the umask.
constexpr mode_t kMode = 0666;

/// Returns true if both paths lead to one file.
bool is_same_file(const std::string& one, const std::string& other) {
  struct stat a{};
  struct stat b{};
  return stat(one.c_str(), &a) == 0 && stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

}  // namespace

OutputFile::OutputFile(std::string path, const std::string& input) : path_(std::move(path)) {
  if (!input.empty() && is_same_file(path_, input)) {
    why_ = path_ + ": is the input, which is never replaced";
    return;
  }
  struct stat at{};
  if (stat(path_.c_str(), &at) == 0 && !S_ISREG(at.st_mode)) {
    why_ = path_ + ": not a regular file";
    return;
  }
  temporary_ = path_ + "." + std::to_string(getpid()) + ".tmp";
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (descriptor_ < 0) {
    fail("cannot be written");
    temporary_.clear();
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail(const char* what) {
  if (why_.empty()) why_ = path_ + ": " + what + ": " + std::strerror(errno);
}

bool OutputFile::write(std::span<const std::uint8_t> bytes) {
  while (why_.empty() && !bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      fail("cannot be written");
    } else {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  return why_.empty();
}

bool OutputFile::commit() {
  if (!why_.empty()) return false;
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail("cannot be written");
    return false;
  }
  temporary_.clear();
  return true;
}

}  // namespace parqproof::cli
