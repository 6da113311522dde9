#include "codec/file/index_tree_lookup.hpp"

#include <algorithm>

#include "codec/page/header_faults.hpp"
#include "codec/page/level_stream.hpp"
#include "codec/page/page_content.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Offset of the page reference in an entry, after the key.
constexpr std::size_t kChildAt = 4;
constexpr std::uint32_t kChildBytes = 8;
constexpr std::uint32_t kOrdinalBytes = 4;
/// limit/work: max bytes of pages that one lookup reads, in multiples of the chunk.
constexpr std::uint64_t kWorkPerChunkByte = 16;
/// Max memory of a dictionary: this fraction of Limits::memory_bytes.
constexpr std::uint64_t kDictionaryMemoryDivisor = 16;
constexpr std::uint64_t kBase = std::uint64_t{1} << 20;
/// Entries, or uncompressed bytes, that cost as much as reading one byte.
constexpr std::uint64_t kBytesPerUnit = 64;

std::uint32_t width_of(const Node& leaf) noexcept {
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}

bool fits(const Node& leaf, std::span<const std::uint8_t> key) noexcept {
  if (leaf.type == Type::BYTE_ARRAY) return true;
  return key.size() == (leaf.type == Type::BOOLEAN ? 1 : width_of(leaf));
}

/// The Error of `rule` at the page reference of an entry.
Error at_child(Rule rule, const IndexTreeNode& node, std::size_t entry) noexcept {
  const View where = node.entry_bytes(entry);
  return {where.base + kChildAt,
          node.entry(entry).page_offset,
          node.entry(entry).page_length,
          kChildBytes,
          rule,
          where.space,
          static_cast<std::uint32_t>(entry)};
}

void add_row(std::vector<RowSpan>& rows, std::int64_t row) {
  if (!rows.empty() && rows.back().first + rows.back().count > row) return;  // another value in the same row
  if (!rows.empty() && rows.back().first + rows.back().count == row) {
    ++rows.back().count;
  } else {
    rows.push_back({row, 1});
  }
}

}  // namespace

IndexTreeLookup::IndexTreeLookup(const Source& source, const Limits& limits, const IndexTreeChunk& chunk,
                                 const Node& leaf, bool with_checksums)
    : source_(source),
      reader_(source_, limits, 0),
      limits_(limits),
      chunk_(chunk),
      leaf_(leaf),
      order_(order_of(leaf)),
      with_checksums_(with_checksums) {
  chunk_.end = std::min(chunk_.end, source.size());
}

void IndexTreeLookup::begin() {
  visited_.clear();
  steps_.clear();
  starts_.clear();
  counted_ = 0;
  work_ = 0;
}

Status IndexTreeLookup::spend(std::uint64_t bytes) {
  const std::uint64_t ceiling = kBase + kWorkPerChunkByte * (chunk_.end - std::min(chunk_.start, chunk_.end));
  work_ += bytes;
  if (work_ <= ceiling) return {};
  return std::unexpected(Error{chunk_.root, static_cast<std::int64_t>(work_),
                               static_cast<std::int64_t>(ceiling), 0, Rule::limit_work});
}

/// Reads the header of the page at `where`, or returns `fault`. A length of 0 accepts any page that begins
/// there.
Status IndexTreeLookup::header(PageSpan where, const Error& fault, Page& page) {
  const std::uint64_t bound = where.length == 0 ? chunk_.end : where.offset + where.length;
  if (where.offset < chunk_.start || where.offset >= bound || bound > chunk_.end)
    return std::unexpected(fault);
  const RegionMap none;
  PageWalk walk(reader_, none, {where.offset, bound, bound, INT64_MAX}, {});
  const PageWalk::Step step = walk.next(nullptr);
  page = walk.page();
  if (step != PageWalk::Step::page || !is_counted(page) || (where.length != 0 && page.end() != bound))
    return std::unexpected(fault);
  return spend(page.header_bytes.size());
}

/// Returns the number of rows that begin in the page if its header has it; else -1.
std::int64_t IndexTreeLookup::row_count(const Page& page) const {
  if (page.is_v2()) return page.header.data_page_header_v2.num_rows;
  return leaf_.max_repetition == 0 ? page.num_values() : -1;
}

/// Returns true if the header states the type of the page, the number of entries and, for a v2 page, of rows.
bool IndexTreeLookup::is_counted(const Page& page) const {
  if (page.is_v2() && (!page.header.data_page_header_v2.has(DataPageHeaderV2::id_num_rows) ||
                       page.header.data_page_header_v2.num_rows < 0)) {
    return false;
  }
  return !page.has_unknown_type() &&
         std::ranges::none_of(header_faults(page, leaf_), [](const HeaderFault& fault) {
           return fault.means == HeaderFault::Means::no_numbers;
         });
}

/// Opens the body of a page that is_counted().
Result<View> IndexTreeLookup::body(const Page& page) {
  const auto fail = [&page](Rule rule) { return std::unexpected(Error{page.offset, 0, 0, 0, rule}); };
  if (const std::vector<HeaderFault> faults = header_faults(page, leaf_); !faults.empty())
    return fail(faults.front().fault.rule());
  if (const std::optional<PageFault> ceiling = ceiling_fault(page, limits_)) return fail(ceiling->rule());
  // The work of the codec is charged before it runs, because it may fail at the last byte.
  const bool may_expand = chunk_.codec != CompressionCodec::UNCOMPRESSED;
  const auto image = static_cast<std::uint64_t>(page.header.uncompressed_page_size);
  if (Status afforded = spend(page.stored_size() + (may_expand ? image / kBytesPerUnit : 0)); !afforded)
    return std::unexpected(afforded.error());
  PageContent content(decompressor_, limits_);
  Notes notes;
  switch (content.open(reader_, page, chunk_.codec, with_checksums_, image_, notes)) {
    case PageContent::State::open:
      if (content.checksum() == Checksum::wrong) return fail(Rule::crc_match);
      return content.image();
    case PageContent::State::unreadable:
      return fail(Rule::page_within_chunk);
    case PageContent::State::closed:
      break;
  }
  const PageFault& fault = content.fault();
  return fault.at == PageFault::At::bytes ? std::unexpected(fault.error) : fail(fault.rule());
}

Result<IndexTreeNode> IndexTreeLookup::node_of(const Page& page, IndexTreeForm form) {
  const Result<View> image = body(page);
  if (!image) return std::unexpected(image.error());
  const Result<IndexTreeNode> node = IndexTreeNode::open(
      *image, form, leaf_.type, static_cast<std::uint32_t>(std::max(leaf_.type_length, 0)), limits_);
  if (!node) return node;
  node_ = *node;
  if (Status ascends = sorted(node_); !ascends) return std::unexpected(ascends.error());
  return node;
}

/// index-page/sorted: bisection works only if the keys of a page ascend.
Status IndexTreeLookup::sorted(const IndexTreeNode& node) const {
  const auto fault = [&node](std::size_t entry) {
    const View where = node.entry_bytes(entry);
    return std::unexpected(Error{where.base, node.entry(entry).key, node.entry(entry - 1).key,
                                 kIndexTreeEntryBytes, Rule::index_page_sorted, where.space,
                                 static_cast<std::uint32_t>(entry)});
  };
  if (node.form() == IndexTreeForm::ordinals) {
    for (std::size_t entry = 1; entry < node.size(); ++entry) {
      if (node.entry(entry).key < node.entry(entry - 1).key) return fault(entry);
    }
    return {};
  }
  // limit/work
  if (!node.keys_are_affordable()) {
    const View body = node.values_buffer();
    return std::unexpected(
        Error{body.base, static_cast<std::int64_t>(body.size()), 0, 0, Rule::limit_work, body.space});
  }
  View before;
  for (std::size_t entry = 0; entry < node.size(); ++entry) {
    const Result<View> key = node.key(entry);
    if (!key) return std::unexpected(key.error());
    if (entry != 0 && compare(order_, key->bytes, before.bytes) == Comparison::less) return fault(entry);
    before = *key;
  }
  return {};
}

/// Returns the span of the child page of an entry. It must end before its index page begins
/// (index-page/post-order) and must not have been visited before (index-page/child).
Result<PageSpan> IndexTreeLookup::child(const IndexTreeNode& node, std::size_t entry, PageSpan parent) {
  const IndexTreeEntry at = node.entry(entry);
  const std::uint64_t room = chunk_.end - std::min(chunk_.base, chunk_.end);
  if (at.page_offset < 0 || at.page_length <= 0 || static_cast<std::uint64_t>(at.page_offset) >= room)
    return std::unexpected(at_child(Rule::index_page_child, node, entry));
  const PageSpan span{chunk_.base + static_cast<std::uint64_t>(at.page_offset),
                      static_cast<std::uint64_t>(at.page_length)};
  if (span.offset + span.length > parent.offset) {
    Error fault = at_child(Rule::index_page_child, node, entry);
    Page page;  // reading another header invalidates the node
    if (span.offset >= parent.offset && header(span, fault, page)) fault.rule = Rule::index_page_post_order;
    return std::unexpected(fault);
  }
  if (!visited_.insert(span.offset).second)
    return std::unexpected(at_child(Rule::index_page_child, node, entry));
  return span;
}

Result<PageSpan> IndexTreeLookup::root() {
  // column-chunk/index-page-offset
  const Error fault{chunk_.root, 0, 0, 0, Rule::column_chunk_index_page_offset};
  at_ = chunk_.root;
  Page page;
  if (Status read = header({chunk_.root, 0}, fault, page); !read) return std::unexpected(read.error());
  if (!page.is_index()) return std::unexpected(fault);
  return PageSpan{page.offset, page.end() - page.offset};
}

Result<IndexTreeForm> IndexTreeLookup::likely_form() {
  begin();
  const Result<PageSpan> top = root();
  if (!top) return std::unexpected(top.error());
  Page page;
  const Error fault{chunk_.root, 0, 0, 0, Rule::column_chunk_index_page_offset};
  if (Status read = header(*top, fault, page); !read) return std::unexpected(read.error());
  const Result<View> image = body(page);
  if (!image) return std::unexpected(image.error());
  return IndexTreeNode::likely_form(*image, leaf_.type,
                                    static_cast<std::uint32_t>(std::max(leaf_.type_length, 0)), limits_);
}

Result<std::vector<PageSpan>> IndexTreeLookup::pages_with_key(std::span<const std::uint8_t> key) {
  begin();
  std::vector<PageSpan> found;
  if (!fits(leaf_, key) || order_ == Order::none) return found;
  const Result<PageSpan> top = root();
  if (!top) return std::unexpected(top.error());
  struct Open {
    PageSpan span;
    Error fault;  // if there is no page
    std::uint64_t parent = 0;
    std::uint32_t level = 0;
  };
  std::vector<Open> open{{*top, {top->offset, 0, 0, 0, Rule::index_page_child}, top->offset, 1}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    at_ = at.parent;
    Page page;
    if (Status read = header(at.span, at.fault, page); !read) return std::unexpected(read.error());
    if (page.is_data()) {
      found.push_back(at.span);
      continue;
    }
    if (!page.is_index()) return std::unexpected(at.fault);
    at_ = page.offset;
    const Result<IndexTreeNode> node = node_of(page, IndexTreeForm::values);
    if (!node) return std::unexpected(node.error());
    const Result<IndexTreeRange> range = entries_for_key(*node, order_, key);
    if (!range) return std::unexpected(range.error());
    IndexTreeStep step{page.offset, at.level, {}};
    for (std::size_t entry = range->last; entry-- > range->first;) {  // the first of them is opened first
      const Result<PageSpan> span = child(*node, entry, at.span);
      if (!span) return std::unexpected(span.error());
      open.push_back({*span, at_child(Rule::index_page_child, *node, entry), page.offset, at.level + 1});
      step.to.push_back(*span);
    }
    std::ranges::reverse(step.to);
    steps_.push_back(std::move(step));
  }
  return found;
}

Result<std::optional<RowPage>> IndexTreeLookup::page_with_row(std::int64_t row, std::int64_t rows) {
  begin();
  if (row < 0) return std::nullopt;
  Result<PageSpan> span = root();
  if (!span) return std::unexpected(span.error());
  Error fault{span->offset, 0, 0, 0, Rule::index_page_child};
  std::uint64_t parent = span->offset;
  RowPage found{{}, 0, rows};
  Error end;  // index-page/ordinal: at the entry before whose row the page ends; for the last page at its own
              // entry
  std::uint64_t end_page = 0;
  for (std::uint32_t level = 1;; ++level) {
    at_ = parent;
    Page page;
    if (Status read = header(*span, fault, page); !read) return std::unexpected(read.error());
    if (page.is_data()) {
      found.span = *span;
      const std::int64_t count = row_count(page);
      const std::int64_t next_row = saturating_add(found.first_row, count);
      if (count < 0 || found.next_row == INT64_MAX || next_row == found.next_row) return found;
      end.expected = end_page != 0 ? next_row : found.next_row - count;
      if (end_page != 0) at_ = end_page;
      return std::unexpected(end);
    }
    if (!page.is_index()) return std::unexpected(fault);
    at_ = parent = page.offset;
    const Result<IndexTreeNode> node = node_of(page, IndexTreeForm::ordinals);
    if (!node) return std::unexpected(node.error());
    if (node->size() == 0) return std::nullopt;
    const auto ordinal_fault = [&node](std::size_t entry, std::int64_t expected) {
      const View where = node->entry_bytes(entry);
      return Error{where.base,    node->entry(entry).key,   expected,
                   kOrdinalBytes, Rule::index_page_ordinal, where.space};
    };
    const std::size_t entry = entry_for_row(*node, row);
    if (entry == node->size()) return std::unexpected(ordinal_fault(0, found.first_row));
    found.first_row = node->entry(entry).key;
    if (entry + 1 < node->size()) {
      found.next_row = node->entry(entry + 1).key;
      end = ordinal_fault(entry + 1, 0);
      end_page = page.offset;
    } else if (end_page == 0) {
      end = ordinal_fault(entry, 0);
    }
    fault = at_child(Rule::index_page_child, *node, entry);
    span = child(*node, entry, *span);
    if (!span) return std::unexpected(span.error());
    steps_.push_back({page.offset, level, {*span}});
  }
}

Status IndexTreeLookup::read_dictionary() {
  if (dictionary_read_) return {};
  Page page;
  const Error fault{chunk_.start, 0, 0, 0, Rule::page_dictionary_missing};
  if (Status read = header({chunk_.start, 0}, fault, page); !read) return read;
  if (!page.is_dictionary()) return std::unexpected(fault);
  const Result<View> image = body(page);
  if (!image) return std::unexpected(image.error());
  ValueSpec spec;
  spec.type = leaf_.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf_.type_length, 0));
  spec.count = static_cast<std::uint64_t>(page.num_values());
  spec.dictionary_page = true;
  dictionary_.clear();
  // limit/memory
  const std::uint64_t needed = image->size() + spec.count * (1 + sizeof(std::size_t));
  if (needed > limits_.memory_bytes / kDictionaryMemoryDivisor)
    return std::unexpected(Error{page.offset, static_cast<std::int64_t>(needed),
                                 static_cast<std::int64_t>(limits_.memory_bytes / kDictionaryMemoryDivisor),
                                 0, Rule::limit_memory});
  if (spec.count != 0) {
    Notes notes;
    Budget budget;
    budget.earn(image->size());
    if (Status opened = values_.open(*image, spec, limits_, budget, notes); !opened) return opened;
    for (;;) {
      const Result<ValueBatch> batch = values_.next();
      if (!batch) return std::unexpected(batch.error());
      if (batch->count == 0) break;
      for_each_value(*batch, width_of(leaf_), dictionary_,
                     [this](auto value, auto) { dictionary_.add(value); });
    }
  }
  dictionary_read_ = true;
  return {};
}

/// Adds the rows of a data page to `row`, and those whose value is `key` to `rows`. If `rows` is null, uses
/// the number of rows in the header if it has one.
Status IndexTreeLookup::rows_of_page(const Page& page, std::span<const std::uint8_t> key, std::int64_t& row,
                                     std::vector<RowSpan>* rows) {
  if (const std::int64_t count = row_count(page); rows == nullptr && count >= 0) {
    row = saturating_add(row, count);
    return {};
  }
  if (rows == nullptr) ++counted_;
  if (Status afforded = spend(static_cast<std::uint64_t>(page.num_values()) / kBytesPerUnit); !afforded)
    return afforded;
  const Result<View> image = body(page);
  if (!image) return std::unexpected(image.error());
  const Result<DataPageParts> parts = split_data_page(page, *image, leaf_);
  if (!parts) return std::unexpected(parts.error());

  LevelStream repetition(leaf_.max_repetition, Rule::levels_repetition_range);
  LevelStream definition(leaf_.max_definition, Rule::levels_definition_range);
  if (Status opened = definition.open(parts->definition, parts->count); !opened) return opened;
  ValueSpec spec;
  spec.encoding = parts->encoding;
  spec.type = leaf_.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf_.type_length, 0));
  spec.dictionary_size = dictionary_.size();
  const Result<std::uint64_t> stored = definition.count_maximum();
  if (!stored) return std::unexpected(stored.error());
  spec.count = *stored;
  if (Status opened = definition.open(parts->definition, parts->count); !opened) return opened;
  if (Status opened = repetition.open(parts->repetition, parts->count); !opened) return opened;

  const auto next_entry = [&]() -> Result<bool> {  // returns true if it has a value; it may begin a row
    const Result<std::uint32_t> starts = repetition.next();
    if (!starts) return std::unexpected(starts.error());
    const Result<std::uint32_t> defined = definition.next();
    if (!defined) return std::unexpected(defined.error());
    if (*starts == 0) row = saturating_add(row, 1);
    return *defined == leaf_.max_definition;
  };
  std::uint64_t entries = parts->count;
  if (rows != nullptr && spec.count != 0) {
    // page/unknown-encoding
    if (!can_decode(spec.encoding, spec.type))
      return std::unexpected(
          Error{page.offset, static_cast<std::int64_t>(spec.encoding), 0, 0, Rule::page_unknown_encoding});
    Notes notes;
    Budget budget;
    budget.earn(image->size());
    if (Status opened = values_.open(parts->values, spec, limits_, budget, notes); !opened) return opened;
    for (;;) {
      const Result<ValueBatch> batch = values_.next();
      if (!batch) return std::unexpected(batch.error());
      if (batch->count == 0) break;
      Status levels;
      for_each_value(*batch, width_of(leaf_), dictionary_,
                     [&](std::span<const std::uint8_t> value, std::uint64_t times) {
                       const bool equal = compare(order_, value, key) == Comparison::equal;
                       for (; times != 0 && levels; --times) {
                         bool is_value = false;
                         while (!is_value && entries != 0 && levels) {
                           const Result<bool> next = next_entry();
                           if (!next) levels = std::unexpected(next.error());
                           is_value = next && *next;
                           --entries;
                         }
                         if (equal && is_value) add_row(*rows, row - 1);
                       }
                     });
      if (!levels) return levels;
    }
  }
  for (; entries != 0; --entries) {
    if (const Result<bool> next = next_entry(); !next) return std::unexpected(next.error());
  }
  return {};
}

Result<std::vector<RowSpan>> IndexTreeLookup::rows_with_key(std::span<const std::uint8_t> key) {
  Result<std::vector<PageSpan>> pages = pages_with_key(key);
  if (!pages) return std::unexpected(pages.error());
  std::ranges::sort(*pages, {}, &PageSpan::offset);
  std::vector<RowSpan> rows;
  std::int64_t row = 0;
  const RegionMap none;
  PageWalk walk(reader_, none, {chunk_.start, chunk_.end, chunk_.end, INT64_MAX}, {});
  for (const PageSpan& wanted : *pages) {
    for (bool last = false; !last;) {
      const PageWalk::Step step = walk.next(nullptr);
      const Page& page = walk.page();
      at_ = walk.offset();
      // The walk also passes an entry that refers to bytes inside a page.
      if (step != PageWalk::Step::page || walk.offset() > wanted.offset || !is_counted(page))
        return std::unexpected(Error{walk.offset(), 0, 0, 0, Rule::page_within_chunk});
      if (Status afforded = spend(page.header_bytes.size()); !afforded)
        return std::unexpected(afforded.error());
      last = walk.offset() == wanted.offset;
      if (!page.is_data()) continue;
      const Encoding encoding = page.encoding();
      // This reads another header, which invalidates the views of `page`; they are not used afterwards.
      if (last && is_dictionary_encoding(encoding)) {
        at_ = chunk_.start;
        if (Status read = read_dictionary(); !read) return std::unexpected(read.error());
        at_ = walk.offset();
      }
      starts_.push_back({at_, walk.ordinal(), row});
      if (Status counted = rows_of_page(page, key, row, last ? &rows : nullptr); !counted)
        return std::unexpected(counted.error());
    }
  }
  return rows;
}

}  // namespace parqproof
