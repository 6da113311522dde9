#pragma once

#include <map>
#include <string>
#include <vector>

namespace support {

/// The result of a program that has ended.
struct Outcome {
  int code = -1;  ///< exit code, or 128 + the signal that ended it
  std::string out;
  std::string err;
};

/// Runs the program under test with these arguments, `input` as standard input, and these changes of the
/// environment.
[[nodiscard]] Outcome parqproof(const std::vector<std::string>& arguments, const std::string& input = {},
                                const std::map<std::string, std::string>& environment = {});

/// Checks that arguments are rejected: exit code 2, nothing on stdout, and a complaint with these words.
void check_rejected(const Outcome& outcome, const std::string& words = {});

/// Checks that a shell command of the program exits silently with 0 when its output pipe is closed.
void check_closed_pipe(const std::string& arguments);

/// A folder for one test's files; it is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Writes a file; missing folders are created. Returns its full path.
  std::string write(const std::string& name, const std::string& bytes) const;

 private:
  std::string path_;
};

/// All bytes of a file of the source tree.
[[nodiscard]] std::string source_file(const std::string& path);

}  // namespace support
