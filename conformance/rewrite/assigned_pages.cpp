#include "conformance/rewrite/assigned_pages.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "codec/encoding/table.hpp"
#include "codec/page/header_faults.hpp"

namespace parqproof {
namespace {

/// Numbers of assignments are compared modulo this prime.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{a} * b % kPrime);
}

}  // namespace

PageAssignment::PageAssignment(const Schema& schema,
                               const std::vector<std::optional<CompressionCodec>>& codecs, PageFit& fit,
                               const PageChain& chain)
    : schema_(schema),
      codecs_(codecs),
      fit_(fit),
      chain_(chain),
      pages_(chain.pages.size()),
      leaves_(schema.leaf_count()) {}

/// The codecs that may be those of a chunk, the most likely first.
std::vector<CompressionCodec> PageAssignment::codecs_for(std::size_t first, std::size_t leaf) const {
  using enum CompressionCodec;
  std::vector<CompressionCodec> out;
  if (codecs_[leaf]) out.push_back(*codecs_[leaf]);
  // Compressed pages hardly ever have the size of their image.
  const auto is_expanded = [](const Page& page) {
    return page.header.uncompressed_page_size == page.header.compressed_page_size;
  };
  const std::size_t end = std::min(first + 2, pages_);
  const auto begin = chain_.pages.begin();
  if (std::all_of(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end),
                  is_expanded))
    out.push_back(UNCOMPRESSED);
  for (const CompressionCodec codec : {SNAPPY, ZSTD, GZIP, LZ4_RAW, BROTLI, LZ4, UNCOMPRESSED}) {
    if (std::ranges::find(out, codec) == out.end()) out.push_back(codec);
  }
  return out;
}

const PageAssignment::Chunks& PageAssignment::chunks(std::size_t first, std::size_t leaf) {
  const auto [at, is_fresh] = chunks_.try_emplace({first, leaf});
  if (!is_fresh) return at->second;
  for (const CompressionCodec codec : codecs_for(first, leaf)) {
    Chunks found = chunks_with(first, leaf, codec);
    if (found.reach > at->second.reach) at->second = std::move(found);
    if (!at->second.ends.empty()) break;
  }
  return at->second;
}

PageAssignment::Chunks PageAssignment::chunks_with(std::size_t first, std::size_t leaf,
                                                   CompressionCodec codec) {
  Chunks out;
  out.codec = codec;
  const Page* dictionary = nullptr;
  std::size_t at = first;
  if (at < pages_ && chain_.pages[at].is_dictionary()) dictionary = &chain_.pages[at++];
  out.reach = at;
  if (at < pages_ && chain_.marks[at] == PageChain::Mark::inside) return {};
  std::uint64_t rows = 0;
  for (const std::size_t data = at; at < pages_ && chain_.pages[at].is_data(); ++at) {
    // The pages of a chunk follow each other without a gap; a Bloom filter may be between two chunks.
    if (at != data && (chain_.marks[at] == PageChain::Mark::first || chain_.ends[at - 1] ||
                       chain_.pages[at].offset != chain_.pages[at - 1].end()))
      break;
    const std::optional<PageFit::Fit> fit = fit_.fit(chain_.pages[at], leaf, dictionary, codec);
    if (!fit || (at == data && fit->continues)) break;
    if (fit->continues && !out.ends.empty() && out.ends.back().end == at) out.ends.pop_back();
    rows += fit->rows;
    out.reach = at + 1;
    if (at + 1 == pages_ || chain_.marks[at + 1] != PageChain::Mark::inside)
      out.ends.push_back({at + 1, rows});
  }
  return out;
}

std::optional<std::size_t> PageAssignment::end_of(std::size_t first, std::size_t leaf, std::uint64_t rows) {
  if (first >= pages_) return std::nullopt;
  for (const Chunks::End& end : chunks(first, leaf).ends) {
    if (end.rows == rows) return end.end;
    if (end.rows > rows) break;
  }
  return std::nullopt;
}

/// The row groups that may begin at a page.
const std::vector<PageAssignment::Step>& PageAssignment::steps(std::size_t first) {
  const auto [known, is_fresh] = steps_.try_emplace(first);
  if (!is_fresh || first >= pages_) return known->second;
  const Chunks all = chunks(first, 0);
  for (const Chunks::End& end : all.ends) {
    Step step{{{{first, end.end, all.codec}}, end.rows}, end.end};
    for (std::size_t leaf = 1; leaf < leaves_; ++leaf) {
      const std::optional<std::size_t> next = end_of(step.end, leaf, end.rows);
      if (!next) break;
      step.group.chunks.push_back({step.end, *next, chunks(step.end, leaf).codec});
      step.end = *next;
    }
    if (step.group.chunks.size() == leaves_ && end.rows != 0) known->second.push_back(std::move(step));
  }
  return known->second;
}

/// Marks where the row group may end whose chunks from `leaf` on begin at a page.
void PageAssignment::mark_ends(std::size_t first, std::size_t leaf, std::vector<bool>& found) {
  if (leaf == leaves_) {
    found[first] = true;
    return;
  }
  if (first >= pages_) return;
  const Chunks all = chunks(first, leaf);
  for (const Chunks::End& end : all.ends) {
    std::optional<std::size_t> at = end.end;
    for (std::size_t next = leaf + 1; at && next < leaves_; ++next) at = end_of(*at, next, end.rows);
    if (at) found[*at] = true;
  }
}

/// Returns true if a page may be of a chunk whose first pages are missing.
bool PageAssignment::may_continue(const Page& page, std::size_t leaf) {
  if (!page.is_data()) return false;
  if (is_dictionary_encoding(page.encoding())) return header_faults(page, schema_.leaf(leaf)).empty();
  return std::ranges::any_of(
      codecs_for(static_cast<std::size_t>(&page - chain_.pages.data()), leaf),
      [&](CompressionCodec codec) { return fit_.fit(page, leaf, nullptr, codec).has_value(); });
}

/// The pages at which the first complete row group may begin.
std::vector<std::size_t> PageAssignment::starts() {
  if (chain_.has_clean_start) return {0};
  std::vector<bool> found(pages_ + 1, false);
  found[0] = true;
  for (std::size_t leaf = 1; leaf < leaves_; ++leaf) mark_ends(0, leaf, found);
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    for (std::size_t i = 0; i < pages_ && may_continue(chain_.pages[i], leaf); ++i) {
      // A chunk of this leaf continues up to here.
      if (chain_.marks[i] == PageChain::Mark::first) break;
      mark_ends(i + 1, leaf + 1, found);
      if (chain_.ends[i]) break;
    }
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i <= pages_; ++i) {
    if (found[i]) out.push_back(i);
  }
  return out;
}

/// Returns true if the pages from `first` on may be a row group that lacks pages at its end.
bool PageAssignment::may_be_cut(std::size_t first) {
  const auto reaches = [&](std::size_t at, std::size_t leaf) {
    const std::size_t reach = chunks(at, leaf).reach;
    furthest_ = std::max(furthest_, reach);
    return reach == pages_;
  };
  if (reaches(first, 0)) return true;
  const Chunks all = chunks(first, 0);
  for (const Chunks::End& end : all.ends) {
    std::size_t at = end.end;
    for (std::size_t leaf = 1; leaf < leaves_; ++leaf) {
      if (at == pages_) return true;
      const bool fits = reaches(at, leaf);
      const std::vector<Chunks::End>& ends = chunks(at, leaf).ends;
      // Without a missing page the last chunk has fewer rows.
      const bool is_complete = !ends.empty() && ends.back().rows == end.rows;
      if (fits && (ends.empty() || ends.back().rows < end.rows || (is_complete && leaf + 1 < leaves_)))
        return true;
      const std::optional<std::size_t> next = end_of(at, leaf, end.rows);
      if (!next) break;
      at = *next;
    }
  }
  return false;
}

std::vector<AssignedRowGroup> PageAssignment::of_one_leaf() {
  std::vector<AssignedRowGroup> out;
  for (std::size_t at = 0; at < pages_;) {
    const Chunks& all = chunks(at, 0);
    if (all.ends.empty() || all.ends.back().rows == 0) {
      ++at;
      continue;
    }
    out.push_back({{{at, all.ends.back().end, all.codec}}, all.ends.back().rows});
    at = all.ends.back().end;
  }
  return out;
}

/// Row groups are the edges of a graph whose nodes are pages. Those on all ways from a start to an end are
/// certain.
bool PageAssignment::run(std::vector<AssignedRowGroup>& out) {
  if (leaves_ == 1) {
    out = of_one_leaf();
    return true;
  }
  std::vector<std::uint64_t> before(pages_ + 1, 0);  // ways to a node
  std::vector<bool> reached(pages_ + 1, false);
  for (const std::size_t start : starts()) {
    before[start] = 1;
    reached[start] = true;
  }
  std::vector<bool> is_end(pages_ + 1, false);
  for (std::size_t i = 0; i <= pages_; ++i) {
    if (!reached[i]) continue;
    const bool may_end = i == pages_ || may_be_cut(i);
    is_end[i] = i == pages_ || (may_end && !chain_.has_clean_end);
    for (const Step& step : steps(i)) {
      before[step.end] = (before[step.end] + before[i]) % kPrime;
      reached[step.end] = true;
    }
  }
  std::vector<std::uint64_t> after(pages_ + 1, 0);  // ways from a node
  std::vector<bool> leads(pages_ + 1, false);
  for (std::size_t i = pages_ + 1; i-- > 0;) {
    if (!reached[i]) continue;
    after[i] = is_end[i] ? 1 : 0;
    leads[i] = is_end[i];
    for (const Step& step : steps(i)) {
      after[i] = (after[i] + after[step.end]) % kPrime;
      leads[i] = leads[i] || leads[step.end];
    }
  }
  std::uint64_t all = 0;
  bool any = false;
  for (const std::size_t start : starts()) {
    all = (all + after[start]) % kPrime;
    any = any || leads[start];
  }
  if (!any) return false;
  for (std::size_t i = 0; i < pages_; ++i) {
    if (!reached[i]) continue;
    for (const Step& step : steps(i)) {
      if (!leads[step.end]) continue;
      if (product(before[i], after[step.end]) == all)
        out.push_back(step.group);
      else
        is_ambiguous_ = true;
    }
  }
  return true;
}

namespace {

PageChain part_of(const PageChain& chain, std::size_t first, std::size_t end) {
  const auto cut = [&](const auto& all) {
    return std::decay_t<decltype(all)>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                       all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {cut(chain.pages), cut(chain.marks), cut(chain.ends), first == 0 && chain.has_clean_start,
          end == chain.pages.size() && chain.has_clean_end};
}

}  // namespace

AssignedPages assign_pages(const Schema& schema, const std::vector<std::optional<CompressionCodec>>& codecs,
                           PageFit& fit, const PageChain& chain) {
  AssignedPages out;
  PageChain part = chain;
  std::size_t base = 0;
  while (!part.pages.empty() && !fit.is_exhausted()) {
    std::vector<AssignedRowGroup> found;
    std::size_t next = chain.pages.size();
    const auto take = [&](PageAssignment& assignment) {
      found.clear();
      if (!assignment.run(found)) return false;
      out.is_ambiguous = out.is_ambiguous || assignment.is_ambiguous();
      return true;
    };
    PageAssignment as_is(schema, codecs, fit, part);
    if (!take(as_is)) {
      // A page that fits no column is damaged: it ends one part, and another one follows.
      const std::size_t at = std::min(as_is.furthest(), part.pages.size());
      PageChain head = part_of(part, 0, at);
      head.has_clean_end = false;
      PageAssignment before(schema, codecs, fit, head);
      (void)take(before);
      next = base + at + 1;
    }
    for (AssignedRowGroup& group : found) {
      for (AssignedChunk& chunk : group.chunks) {
        chunk.first += base;
        chunk.end += base;
      }
      out.row_groups.push_back(std::move(group));
    }
    if (next >= chain.pages.size()) break;
    base = next;
    part = part_of(chain, base, chain.pages.size());
  }
  return out;
}

}  // namespace parqproof
