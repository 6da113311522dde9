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

/// Returns the reason why a path below the folder is not followed; empty if it is followed. Accepted are
/// names joined by single slashes. Rejected are absolute paths, URIs, backslashes, NUL bytes, `..` and empty
/// names. Names `.` are skipped.
[[nodiscard]] std::string_view why_not_followed(std::string_view path) noexcept;

/// Returns the path without names `.`, so that each file has only one path.
[[nodiscard]] std::string normal_path(std::string_view path);

/// The folder of a metadata file, with the files below it that column chunks name
/// (parquet.thrift#ColumnChunk.file_path). Nothing outside of the folder can be reached, even if files are
/// renamed meanwhile: links are not followed, only regular files are opened, and each name is looked up in
/// the folder that was opened for the previous name.
class Folder {
 public:
  /// Max number of descriptors that the Sources of share() keep open at a time.
  static constexpr std::size_t kOpen = 64;

  /// Opens the folder that contains the file at `path`. Returns null on failure and sets `why` to the reason.
  [[nodiscard]] static std::unique_ptr<Folder> of(const std::string& path, std::string& why);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Name of the metadata file in its folder.
  [[nodiscard]] const std::string& own_name() const noexcept { return own_name_; }
  /// Returns the path of the file `name` in this folder: the path given to of() with its last name replaced.
  [[nodiscard]] std::string sibling_path(std::string_view name) const { return prefix_ + std::string(name); }

  /// Opens the regular file at `path`. Returns null on failure and sets `why` to the reason.
  [[nodiscard]] std::unique_ptr<FileSource> open(std::string_view path, std::string& why) const;
  /// Returns the file at `path`, valid as long as this folder; one Source for each path. Its descriptor is
  /// closed and opened again when too many other files are read.
  [[nodiscard]] const Source* share(const std::string& path, std::string& why);

 private:
  class Shared;
  struct Opened {
    const Shared* file;
    std::shared_ptr<FileSource> source;
  };

  Folder(int descriptor, std::string prefix, std::string own_name);
  /// Returns the open file and marks it as the most recently used one.
  std::shared_ptr<FileSource> opened(const Shared& file);

  int descriptor_;
  std::string prefix_;
  std::string own_name_;
  std::unordered_map<std::string, std::unique_ptr<Shared>> shared_;
  std::mutex mutex_;
  std::list<Opened> open_;  // most recently used first
};

}  // namespace parqproof
