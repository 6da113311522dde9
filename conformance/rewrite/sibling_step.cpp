#include "conformance/rewrite/sibling_step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMostSchemas = 4;
constexpr std::ptrdiff_t kMostFiles = 64;  ///< whose footers are read
constexpr std::size_t kMostNames = 100'000;

/// The files next to `path` whose names end like its own, the nearest names first.
std::vector<std::filesystem::path> siblings_of(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> names;
  std::error_code failed;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (names.size() == kMostNames) return {};
    if (at->path().extension() == path.extension()) names.push_back(at->path().filename());
  }
  std::ranges::sort(names);
  const auto own = std::ranges::find(names, path.filename());
  const auto distance = [&](std::ptrdiff_t i) { return std::abs(i - (own - names.begin())); };
  std::vector<std::ptrdiff_t> order;
  for (std::ptrdiff_t i = 0; i < std::ssize(names); ++i) {
    if (names.begin() + i != own && distance(i) <= kMostFiles / 2) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, distance);
  std::vector<std::filesystem::path> out;
  out.reserve(order.size());
  for (const std::ptrdiff_t i : order) out.push_back(path.parent_path() / names[static_cast<std::size_t>(i)]);
  return out;
}

/// Returns the bytes of the schema in the footer of a file; empty if it has none.
std::string schema_in(const Source& source, const Limits& limits) {
  Findings passed_over({});
  const Frame frame = read_frame(source, source.size(), limits, passed_over);
  FileMetaData meta;
  if (frame.state != Frame::State::footer) return {};
  thrift::Reader reader(frame.footer, {}, limits);
  if (!reader.read(meta) || !reader.sound() || meta.schema.count == 0) return {};
  return {meta.schema.bytes.bytes.begin(), meta.schema.bytes.bytes.end()};
}

/// Returns the number of rows that are saved with the schema of `sibling`.
std::uint64_t rows_saved(const Source& source, const Source& sibling, const CheckOptions& check) {
  RewriteOptions options;
  options.salvage = true;
  options.schema_from = &sibling;
  options.limits = check.limits;
  options.cancelled = check.cancelled;
  return rows_of_rewrite(source, options);
}

}  // namespace

void offer_schema_of_sibling(const Source& source, const CheckOptions& options, FileReport& report) {
  const bool is_lost = std::ranges::find(report.lost, LostPart::file, &Lost::what) != report.lost.end();
  if (!is_lost || !report.remains || !report.remains->footers.empty() || report.remains->runs_found == 0 ||
      source.size() > kMostBytes)
    return;
  const std::optional<std::string> file = shell_word(report.path);
  const std::optional<std::string> copy = name_of_copy(report.path);
  const std::string rewrite = parqproof_command(source, "rewrite");
  if (!file || !copy || rewrite.empty()) return;
  std::set<std::string> schemas;
  for (const std::filesystem::path& path : siblings_of(report.path)) {
    std::string why;
    const std::unique_ptr<FileSource> sibling = FileSource::open(path.string(), why);
    const std::optional<std::string> name = shell_word(path.string());
    if (sibling == nullptr || !name) continue;
    std::string schema = schema_in(*sibling, options.limits);
    if (schema.empty() || !schemas.insert(std::move(schema)).second) continue;
    if (const std::uint64_t rows = rows_saved(source, *sibling, options); rows != 0) {
      report.next.push_back({counted(rows, "row") + ", with the schema of another file in its folder",
                             rewrite + "--salvage --schema-from " + *name + " " + *file + " " + *copy});
      return;
    }
    if (schemas.size() == kMostSchemas) return;
  }
}

}  // namespace parqproof
