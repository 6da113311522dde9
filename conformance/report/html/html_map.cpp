#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "conformance/report/escape.hpp"
#include "conformance/report/html/html_file.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kItems = 6'000;      ///< max items in the byte map
constexpr std::size_t kCells = 10'000;     ///< max cells in the grid of column chunks
constexpr std::size_t kColumns = 4'000;    ///< max columns in the grid
constexpr std::size_t kListedInMap = 100;  ///< max overlaps, and max unread structures

/// Kinds of the map in addition to those of segments.
constexpr int kAdjacentPages = 11;  ///< adjacent pages of one column chunk
constexpr int kSeveral = 12;        ///< adjacent structures

bool is_of_page(const Segment& segment) {
  return segment.kind == SegmentKind::page_header || segment.kind == SegmentKind::page_body;
}

/// An item of the map: a segment, or several adjacent ones.
struct Item {
  int kind = 0;
  Segment segment;          ///< with the total length
  std::uint64_t count = 1;  ///< number of pages or structures
};

/// One item for each segment; adjacent pages of one chunk are merged, unless they are among `apart`.
std::vector<Item> pages_together(const Layout& layout, const std::set<Place>& apart) {
  std::vector<Item> items;
  for (const Segment& segment : layout.segments) {
    if (!is_of_page(segment) || apart.contains(segment.place)) {
      items.push_back({static_cast<int>(segment.kind), segment});
      continue;
    }
    const std::uint64_t pages = segment.kind == SegmentKind::page_header ? 1 : 0;
    Place chunk = segment.place;
    chunk.page = -1;
    if (!items.empty() && items.back().kind == kAdjacentPages && items.back().segment.place == chunk) {
      items.back().segment.length += segment.length;
      items.back().count += pages;
    } else {
      items.push_back({kAdjacentPages, segment, pages});
      items.back().segment.place = chunk;
    }
  }
  return items;
}

/// Merges adjacent items that would be too small to be visible.
std::vector<Item> small_together(const std::vector<Item>& items, std::uint64_t size) {
  const std::uint64_t unit = size / (kItems / 2) + 1;
  std::vector<Item> fewer;
  for (const Item& item : items) {
    if (fewer.empty() || fewer.back().segment.length + item.segment.length > unit) {
      fewer.push_back(item);
      continue;
    }
    Item& last = fewer.back();
    last.kind = kSeveral;
    last.segment.place = {};
    last.segment.length += item.segment.length;
    ++last.count;
  }
  return fewer;
}

/// Items to draw: each segment, unless there are too many.
std::vector<Item> items_of(const Layout& layout, const std::set<Place>& at_fault) {
  std::vector<Item> items;
  if (layout.segments.size() <= kItems) {
    for (const Segment& segment : layout.segments) items.push_back({static_cast<int>(segment.kind), segment});
    return items;
  }
  items = pages_together(layout, at_fault);
  if (items.size() > kItems) items = pages_together(layout, {});
  return items.size() > kItems ? small_together(items, layout.size) : items;
}

void write_item(JsonWriter& json, const Item& item, const Item* before) {
  const Segment& segment = item.segment;
  json.begin_array();
  json.integer(item.kind);
  json.integer(segment.length);
  const bool body = segment.kind == SegmentKind::page_body && before != nullptr &&
                    before->kind == static_cast<int>(SegmentKind::page_header) &&
                    before->segment.place == segment.place;
  if (item.kind == kSeveral) {
    json.integer(item.count);
  } else if (!body && segment.place.leaf >= 0) {
    json.integer(segment.place.row_group);
    json.integer(segment.place.leaf);
    if (item.kind == kAdjacentPages) {
      json.integer(item.count);
    } else if (is_of_page(segment)) {
      json.integer(segment.place.page);
      json.integer(segment.page_type);
      json.integer(segment.header_fields.values);
      json.integer(segment.header_fields.encoding);
      json.integer(segment.header_fields.uncompressed);
    }
  }
  json.end();
}

/// A cell of the grid: a column chunk, or those of several adjacent row groups.
struct Cell {
  MappedChunk sum;
  std::uint64_t pages = 0;
  int codec = -1;  ///< -2: they differ
};

class Grid {
 public:
  explicit Grid(const Layout& layout) : layout_(layout) {
    for (const auto& group : layout.chunks) columns_ = std::max(columns_, group.size());
    drawn_ = std::min(columns_, kColumns);
    together_ = std::max<std::size_t>(1, (layout.chunks.size() * drawn_ + kCells - 1) / kCells);
    cells_.resize((layout.chunks.size() + together_ - 1) / together_ * drawn_);
    for (std::size_t group = 0; group < layout.chunks.size(); ++group) {
      for (std::size_t leaf = 0; leaf < std::min(layout.chunks[group].size(), drawn_); ++leaf)
        add(layout.chunks[group][leaf], cells_[group / together_ * drawn_ + leaf]);
    }
    for (const Segment& segment : layout.segments) {
      if (segment.kind != SegmentKind::page_header || static_cast<std::size_t>(segment.place.leaf) >= drawn_)
        continue;
      const std::size_t at = static_cast<std::size_t>(segment.place.row_group) / together_ * drawn_ +
                             static_cast<std::size_t>(segment.place.leaf);
      if (at < cells_.size()) ++cells_[at].pages;
    }
  }

  void write(JsonWriter& json) const {
    json.array("columns", std::views::iota(std::size_t{0}, drawn_),
               [&](std::size_t leaf) { write_column(json, leaf); });
    json.object("grid", [&] {
      json.member("row_groups", layout_.chunks.size());
      json.member("columns", columns_);
      json.member("together", together_);
      json.values("rows", rows());
      json.array("cells", cells_, [&](const Cell& cell) {
        json.row(cell.sum.compressed, cell.sum.uncompressed, cell.sum.values, cell.codec, cell.sum.encodings,
                 cell.pages);
      });
    });
  }

 private:
  /// Adds numbers that come from the file: no sum of them may overflow.
  static void sum(std::int64_t& to, std::int64_t more) {
    to = static_cast<std::int64_t>(static_cast<std::uint64_t>(to) + static_cast<std::uint64_t>(more));
  }
  static void add(const MappedChunk& chunk, Cell& cell) {
    sum(cell.sum.compressed, chunk.compressed);
    sum(cell.sum.uncompressed, chunk.uncompressed);
    sum(cell.sum.values, chunk.values);
    cell.sum.encodings |= chunk.encodings;
    const int codec = static_cast<int>(chunk.codec);
    cell.codec = cell.codec == -1 || cell.codec == codec ? codec : -2;
  }

  /// Rows of each row of cells.
  [[nodiscard]] std::vector<std::int64_t> rows() const {
    std::vector<std::int64_t> rows((layout_.chunks.size() + together_ - 1) / together_);
    for (std::size_t i = 0; i < std::min(layout_.chunks.size(), layout_.group_rows.size()); ++i)
      sum(rows[i / together_], layout_.group_rows[i]);
    return rows;
  }

  void write_column(JsonWriter& json, std::size_t leaf) const {
    const auto has_leaf = [leaf](const auto& group) { return leaf < group.size(); };
    const MappedChunk& chunk = (*std::ranges::find_if(layout_.chunks, has_leaf))[leaf];
    json.row(printable(chunk.column, kHtmlNameBytes), static_cast<int>(chunk.type));
  }

  const Layout& layout_;
  std::size_t columns_ = 0;
  std::size_t drawn_ = 0;     // number of columns drawn
  std::size_t together_ = 1;  // number of row groups in one cell
  std::vector<Cell> cells_;   // by row group, then column
};

}  // namespace

void write_html_map(JsonWriter& json, const Layout& layout, const std::set<Place>& at_fault) {
  json.member("size", layout.size);
  Grid(layout).write(json);
  const std::vector<Item> items = items_of(layout, at_fault);
  json.member("whole", items.size() == layout.segments.size());
  json.array("segments", items,
             [&](const Item& item) { write_item(json, item, &item == items.data() ? nullptr : &item - 1); });
  json.array("overlaps", layout.overlaps | std::views::take(kListedInMap), [&](const Overlap& overlap) {
    json.row(overlap.offset, overlap.length, static_cast<int>(overlap.first.kind),
             static_cast<int>(overlap.second.kind));
  });
  json.array("unread", layout.unread | std::views::take(kListedInMap), [&](const Unread& unread) {
    json.row(unread.offset, unread.what, unread.place.row_group, unread.place.leaf);
  });
}

}  // namespace parqproof
