#include "conformance/footer/file_paths.hpp"

#include <utility>

namespace parqproof {
namespace {

/// Returns true if a path stays below the folder of the file: no absolute path, no URI, no backslash, no
/// `..`.
bool is_relative(std::string_view path) {
  return path.front() != '/' && path.find('\\') == path.npos && path.find("://") == path.npos &&
         path != ".." && !path.starts_with("../") && !path.ends_with("/..") && path.find("/../") == path.npos;
}

}  // namespace

void FilePaths::take(const ColumnChunk& chunk, ChunkClaim& claim) {
  if (!chunk.has(ColumnChunk::id_file_path)) return;
  judge(chunk, claim);
  if (chunk.file_path.empty()) return;
  claim.file = number_of(text_of(chunk.file_path));
  if (claim.file != 0 && check_.footer.metadata_alone()) judge_in_summary(chunk, claim);
}

/// Returns the number of the file at `path`, which is assigned if it has none yet. 0 is this file.
std::uint32_t FilePaths::number_of(std::string_view path) {
  ParsedFooter& footer = FooterPhase::of(check_);
  std::string normal = normal_path(path);
  if (check_.input.folder != nullptr && normal == check_.input.folder->own_name()) return 0;
  const auto [at, fresh] = numbers_.try_emplace(normal, static_cast<std::uint32_t>(footer.named.size() + 1));
  if (fresh) footer.named.push_back({std::move(normal), {}});
  return at->second;
}

void FilePaths::judge(const ColumnChunk& chunk, const ChunkClaim& claim) const {
  if (chunk.file_path.empty()) {
    fault(Rule::column_chunk_file_path_empty, chunk, claim, "absent");
    return;
  }
  if (!is_relative(text_of(chunk.file_path)))
    fault(Rule::column_chunk_file_path_relative, chunk, claim, "a path below this file's folder");
  // A file with data between head magic and footer holds its own columns.
  if (!check_.footer.metadata_alone()) fault(Rule::column_chunk_file_path, chunk, claim, "absent");
}

/// Rules of a file that only summarizes other files.
void FilePaths::judge_in_summary(const ColumnChunk& chunk, const ChunkClaim& claim) {
  // summary/not-formal: once, at the first path
  if (!std::exchange(any_, true)) fault(Rule::summary_not_formal, chunk, claim, "absent");
  if (claim.leaf == 0) differ_ = false;
  if (claim.leaf == 0 || differ_ || check_.footer.chunks.empty()) return;
  const ChunkClaim& before = check_.footer.chunks.back();
  if (before.row_group != claim.row_group || before.file == claim.file || before.file == 0) return;
  differ_ = true;
  fault(Rule::summary_file_path_differs, chunk, claim, check_.footer.named[before.file - 1].path);
}

void FilePaths::fault(Rule rule, const ColumnChunk& chunk, const ChunkClaim& claim,
                      std::string expected) const {
  const std::string_view path = text_of(chunk.file_path);
  FindingSite::of_chunk(check_, claim)
      .report(rule, "file_path", contrast(path.empty() ? "\"\"" : path, std::move(expected)));
}

}  // namespace parqproof
