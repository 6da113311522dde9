#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Patterns of paths, and the files of a command line.
namespace parqproof::cli {

/// Returns true if a path matches a pattern: `*` any bytes but '/', `**` any bytes, `?` one byte but '/',
/// `[a-z]` and `[!a-z]` one of these, or none of these. A pattern without '/' is matched with the last name
/// of the path; `**/` at the front also matches no folder.
[[nodiscard]] bool path_fits(std::string_view pattern, std::string_view path);

/// Returns true if any text matches a pattern, in which '/' is a byte like others.
[[nodiscard]] bool text_fits(std::string_view pattern, std::string_view text);

/// A file of the command line, or one found in a directory of it.
struct FoundFile {
  std::string path;
  std::string folder;  ///< the directory as given, with a slash at its end; empty for a file that was given
};

/// Selection of files in a directory, and messages of the search.
struct FileSearch {
  std::vector<std::string> globs;  ///< patterns of path_fits() for paths below the directory
  /// Directories that cannot be searched, or that have no such files.
  std::vector<std::string> complaints = {};
  /// Directories with other files that begin with the Parquet magic; empty if `hint` is false.
  std::vector<std::string> hints = {};
  bool hint = false;  ///< read the first bytes of other files
};

/// The paths, with each directory replaced by the files in and below it that match one of the globs, in byte
/// order of paths. Names that begin with a dot and links to directories are skipped. Of several spellings of
/// one name, the first is kept.
[[nodiscard]] std::vector<FoundFile> expand(const std::vector<std::string>& paths, FileSearch& search);

}  // namespace parqproof::cli
