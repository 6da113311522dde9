#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "codec/base/source.hpp"

namespace parqproof {

/// Why a path is not followed below a folder, in words; empty where it is. Followed are names joined by
/// single slashes: no absolute path, no URI, no backslash, no NUL, no `..`, no empty name; a name `.` is
/// passed over.
[[nodiscard]] std::string_view why_not_followed(std::string_view path) noexcept;

/// The path without names `.`, so that one file has one path.
[[nodiscard]] std::string normal_path(std::string_view path);

/// The folder of a metadata file, and the files below it that its column chunks name
/// (parquet.thrift#ColumnChunk.file_path). No link of any kind is followed, only regular files are opened,
/// and each name is looked up in the folder that was opened before it, so that nothing outside can be
/// reached, whatever happens to the names meanwhile.
class Folder {
 public:
  /// Descriptors that the Sources of share() keep open at a time.
  static constexpr std::size_t kOpen = 64;

  /// The folder that holds the file at `path`; null where it cannot be opened, and `why` says in words why.
  [[nodiscard]] static std::unique_ptr<Folder> of(const std::string& path, std::string& why);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// The name of that file in its folder.
  [[nodiscard]] const std::string& own_name() const noexcept { return own_name_; }
  /// `name` below the folder as the caller would reach it: the path of of() with its last name replaced.
  [[nodiscard]] std::string beside(std::string_view name) const { return prefix_ + std::string(name); }

  /// Opens the regular file at `path`; on failure null, and `why` says in words what is in the way.
  [[nodiscard]] std::unique_ptr<FileSource> open(std::string_view path, std::string& why) const;
  /// The same file for as long as this folder exists, once for each path; its descriptor is closed when many
  /// others are read, and opened again.
  [[nodiscard]] const Source* share(const std::string& path, std::string& why);

 private:
  class Shared;
  struct Opened {
    const Shared* file;
    std::shared_ptr<FileSource> source;
  };

  Folder(int descriptor, std::string prefix, std::string own_name);
  /// The open file, which becomes the last to be closed.
  std::shared_ptr<FileSource> opened(const Shared& file);

  int descriptor_;
  std::string prefix_;
  std::string own_name_;
  std::unordered_map<std::string, std::unique_ptr<Shared>> shared_;
  std::mutex mutex_;
  std::list<Opened> open_;  // the last one used first
};

}  // namespace parqproof
