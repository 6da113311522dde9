#include "codec/base/folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace parqproof {
namespace {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const noexcept { return number_; }
  void replace(int number) noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_;
};

constexpr std::string_view kLink = "it is a link, or leads through one";

}  // namespace

std::string_view why_not_followed(std::string_view path) noexcept {
  if (path.find('\0') != path.npos) return "it holds a NUL byte";
  if (path.find('\\') != path.npos) return "it holds a backslash";
  if (path.find("://") != path.npos) return "it is a URI";
  if (path.starts_with('/')) return "it is absolute";
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    if (name.empty()) return "one of its names is empty";
    if (name == "..") return "it leads out of the folder";
    if (slash == path.npos) return name == "." ? "it is the folder itself" : std::string_view();
    path.remove_prefix(slash + 1);
  }
}

std::string normal_path(std::string_view path) {
  std::string normal;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size() - 1) + 1;
    if (const std::string_view name = path.substr(0, slash); name != "./" && name != ".") normal += name;
    path.remove_prefix(slash);
  }
  return normal;
}

/// A file of share(). It remembers the identity of the file, because its descriptor may be closed and opened
/// again.
class Folder::Shared final : public Source {
 public:
  Shared(Folder& folder, std::string path, const FileSource& source)
      : folder_(&folder), path_(std::move(path)), size_(source.size()), identity_(source.identity()) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    const std::shared_ptr<FileSource> source = folder_->opened(*this);
    return source != nullptr && source->read(offset, into);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Returns true if `source` is the file that was opened first.
  [[nodiscard]] bool is(const FileSource& source) const noexcept {
    return source.identity() == identity_ && source.size() == size_;
  }

 private:
  Folder* folder_;
  std::string path_;
  std::uint64_t size_;
  FileSource::Identity identity_;
};

std::unique_ptr<Folder> Folder::of(const std::string& path, std::string& why) {
  const std::size_t slash = path.rfind('/');
  std::string prefix = slash == path.npos ? std::string() : path.substr(0, slash + 1);
  const std::string folder = prefix.empty() ? "." : prefix;
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    why = std::strerror(errno);
    return nullptr;
  }
  return std::unique_ptr<Folder>(
      new Folder(descriptor, std::move(prefix), path.substr(slash == path.npos ? 0 : slash + 1)));
}

Folder::Folder(int descriptor, std::string prefix, std::string own_name)
    : descriptor_(descriptor), prefix_(std::move(prefix)), own_name_(std::move(own_name)) {}

Folder::~Folder() { ::close(descriptor_); }

std::unique_ptr<FileSource> Folder::open(std::string_view path, std::string& why) const {
  why = why_not_followed(path);
  if (!why.empty()) return nullptr;
  Descriptor folder(-1);
  int at = descriptor_;
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/')) {
    const std::string name(path.substr(0, slash));
    path.remove_prefix(slash + 1);
    if (name == ".") continue;
    const int next = ::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) {
      struct stat status{};
      const int error = errno;
      const bool link =
          ::fstatat(at, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
      why = link ? kLink : std::strerror(error);
      return nullptr;
    }
    folder.replace(next);
    at = next;
  }
  const std::string name(path);
  // Opening a device can have effects, so the type of the file is checked before opening and again
  // afterwards.
  struct stat status{};
  if (::fstatat(at, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    why = std::strerror(errno);
  } else if (S_ISLNK(status.st_mode)) {
    why = kLink;
  } else if (!S_ISREG(status.st_mode)) {
    why = FileSource::why_not_regular(status.st_mode);
  } else {
    const int file = ::openat(at, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    if (file >= 0) return FileSource::adopt(file, why);
    why = errno == ELOOP ? std::string(kLink) : std::strerror(errno);
  }
  return nullptr;
}

const Source* Folder::share(const std::string& path, std::string& why) {
  if (const auto known = shared_.find(path); known != shared_.end()) return known->second.get();
  std::shared_ptr<FileSource> source = open(path, why);
  if (source == nullptr) return nullptr;
  auto file = std::make_unique<Shared>(*this, path, *source);
  const std::lock_guard lock(mutex_);
  open_.push_front({file.get(), std::move(source)});
  if (open_.size() > kOpen) open_.pop_back();
  return shared_.emplace(path, std::move(file)).first->second.get();
}

std::shared_ptr<FileSource> Folder::opened(const Shared& file) {
  const std::lock_guard lock(mutex_);
  const auto held = std::ranges::find(open_, &file, &Opened::file);
  if (held != open_.end()) {
    open_.splice(open_.begin(), open_, held);
    return open_.front().source;
  }
  std::string why;
  std::shared_ptr<FileSource> source = open(file.path(), why);
  if (source == nullptr || !file.is(*source)) return nullptr;
  open_.push_front({&file, source});
  if (open_.size() > kOpen) open_.pop_back();
  return source;
}

}  // namespace parqproof
