#include "conformance/cli/input/file_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/cli/input/input.hpp"

namespace parqproof::cli {
namespace {

namespace fs = std::filesystem;

bool begins_with_magic(const fs::path& path) {
  std::array<char, 4> bytes{};
  std::ifstream file(path, std::ios::binary);
  return file.read(bytes.data(), bytes.size()) && std::string_view(bytes.data(), bytes.size()) == "PAR1";
}

/// Matches one pattern with one text.
class Glob {
 public:
  /// `wall` is the byte that `*` and `?` do not match, or 0.
  Glob(std::string_view pattern, std::string_view text, char wall) noexcept
      : pattern_(pattern), text_(text), wall_(wall) {}

  [[nodiscard]] bool fits(std::size_t p = 0, std::size_t t = 0) const {
    while (p < pattern_.size()) {
      if (pattern_[p] == '*') return star(p, t);
      if (t == text_.size() || !one(p, text_[t])) return false;
      ++t;
    }
    return t == text_.size();
  }

 private:
  [[nodiscard]] bool star(std::size_t p, std::size_t t) const {
    std::size_t next = p;
    while (next < pattern_.size() && pattern_[next] == '*') ++next;
    const bool deep = next - p > 1;
    if (deep && pattern_.substr(next).starts_with('/') && (t == 0 || text_[t - 1] == '/') &&
        fits(next + 1, t)) {
      return true;
    }
    for (;; ++t) {
      if (fits(next, t)) return true;
      if (t == text_.size() || (!deep && text_[t] == wall_ && wall_ != 0)) return false;
    }
  }

  /// Matches a byte with the element of the pattern at `p`, and moves `p` to the next element.
  [[nodiscard]] bool one(std::size_t& p, char byte) const {
    const char c = pattern_[p++];
    if (c == '?') return byte != wall_ || wall_ == 0;
    const std::size_t end = c == '[' ? pattern_.find(']', p + 1) : pattern_.npos;
    if (end == pattern_.npos) return byte == c;
    const bool inverted = pattern_[p] == '!';
    bool in = false;
    for (std::size_t i = p + (inverted ? 1 : 0); i < end; ++i) {
      const bool range = i + 2 < end && pattern_[i + 1] == '-';
      const auto low = static_cast<unsigned char>(pattern_[i]);
      const auto high = static_cast<unsigned char>(pattern_[range ? i + 2 : i]);
      in |= low <= static_cast<unsigned char>(byte) && static_cast<unsigned char>(byte) <= high;
      if (range) i += 2;
    }
    p = end + 1;
    return in != inverted && (byte != wall_ || wall_ == 0);
  }

  std::string_view pattern_;
  std::string_view text_;
  char wall_;
};

/// Search of one directory.
class Directory {
 public:
  Directory(const std::string& path, FileSearch& search)
      : search_(search), folder_(path.ends_with('/') ? path : path + "/") {}

  std::vector<FoundFile> files() {
    const std::size_t complaints_before = search_.complaints.size();
    std::vector<fs::path> folders{folder_};
    while (!folders.empty()) {
      const fs::path folder = std::move(folders.back());
      folders.pop_back();
      look_into(folder, folders);
    }
    if (found_.empty() && search_.complaints.size() == complaints_before)
      search_.complaints.push_back(folder_ + ": no " + wanted() + " file in this directory or below it");
    if (others_ != 0) {
      search_.hints.push_back(folder_ + ": " + std::to_string(others_) + (others_ == 1 ? " file" : " files") +
                              " other than " + wanted() + (others_ == 1 ? " begins" : " begin") +
                              " with PAR1 (--glob PATTERN selects them)");
    }
    std::ranges::sort(found_, {}, &FoundFile::path);  // std::string compares bytes as unsigned
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string wanted() const {
    std::string text;
    for (const std::string& glob : search_.globs) text += (text.empty() ? "" : " or ") + glob;
    return text;
  }

  void look_into(const fs::path& folder, std::vector<fs::path>& folders) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (entry->path().filename().string().starts_with('.')) continue;
      std::error_code unknown;  // a broken link is no directory; opening it reports the error
      if (entry->is_directory(unknown)) {
        if (!entry->is_symlink(unknown)) folders.push_back(entry->path());
        continue;
      }
      const std::string path = entry->path().string();
      const std::string relative = path.substr(folder_.size());
      const auto fits = [&relative](const std::string& glob) { return path_fits(glob, relative); };
      if (std::ranges::any_of(search_.globs, fits)) {
        found_.push_back({path, folder_});
      } else if (search_.hint && entry->is_regular_file(unknown) && begins_with_magic(entry->path())) {
        ++others_;
      }
    }
    if (error) search_.complaints.push_back(folder.string() + ": " + error.message());
  }

  FileSearch& search_;
  std::string folder_;
  std::vector<FoundFile> found_;
  std::uint64_t others_ = 0;
};

/// Names of files in their folders, without links on the way to these.
class FullNames {
 public:
  /// Returns false if the name is there, in any spelling.
  bool add(const fs::path& path) {
    if (path == kStandardInput) return true;
    const auto [folder, is_new] = folders_.try_emplace(path.parent_path().string());
    if (is_new) {
      std::error_code none;
      folder->second = fs::canonical(folder->first.empty() ? "." : folder->first, none);
    }
    return names_.insert(folder->second.empty() ? path : folder->second / path.filename()).second;
  }

 private:
  std::map<std::string, fs::path> folders_;  // by spelling; empty if there is none
  std::set<fs::path> names_;
};

}  // namespace

bool path_fits(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == pattern.npos) path.remove_prefix(path.rfind('/') + 1);
  return Glob(pattern, path, '/').fits();
}

bool text_fits(std::string_view pattern, std::string_view text) { return Glob(pattern, text, 0).fits(); }

std::vector<FoundFile> expand(const std::vector<std::string>& paths, FileSearch& search) {
  std::vector<FoundFile> files;
  for (const std::string& path : paths) {
    std::error_code unknown;
    if (path == kStandardInput || !fs::is_directory(path, unknown)) {
      files.push_back({path, {}});
    } else {
      std::ranges::move(Directory(path, search).files(), std::back_inserter(files));
    }
  }
  FullNames names;
  std::erase_if(files, [&names](const FoundFile& file) { return !names.add(file.path); });
  return files;
}

}  // namespace parqproof::cli
