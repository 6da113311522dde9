#pragma once

#include <string>
#include <vector>

/// The files that a command line means.
namespace parqproof::cli {

/// A file that was named, or found in a directory that was.
struct FoundFile {
  std::string path;
  std::string
      folder;  ///< the directory as it was named, with a slash at its end; empty for a file that was named
};

/// Which files of a directory are taken, and what the search has to say.
struct FileSearch {
  std::vector<std::string> globs;  ///< patterns of path_fits() for paths below the directory
  /// What cannot be searched, and directories without such files.
  std::vector<std::string> complaints = {};
  /// Directories with more files that begin with the magic of Parquet; empty if hint is false.
  std::vector<std::string> hints = {};
  bool hint = false;  ///< look at the other files
};

/// The paths, with each directory replaced by the files in and below it that one of the globs fits, in byte
/// order of paths; names that begin with a dot and links to directories are passed over.
[[nodiscard]] std::vector<FoundFile> expand(const std::vector<std::string>& paths, FileSearch& search);

}  // namespace parqproof::cli
