#include "conformance/report/bytes/annotate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/page_index.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/page/page_content.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/field_text.hpp"

namespace parqproof {
namespace {

using thrift::Event;

/// Longer segments are shown as one run.
constexpr std::uint64_t kMaxAnnotatedBytes = std::uint64_t{64} << 20;
/// Max bytes of a string or binary in a value; the bytes themselves are listed next to it.
constexpr std::size_t kMaxTextBytes = 64;

/// The leaf with this ordinal; null if the schema has none.
const Node* leaf_at(const Schema& schema, std::uint64_t leaf) {
  const bool known = schema.fault() == Schema::Fault::none && leaf < schema.leaf_count();
  return known ? &schema.leaf(leaf) : nullptr;
}

/// Makes a run of each event of a walk; the run ends where the next one begins.
class FieldRuns final : public thrift::Visitor {
 public:
  /// `leaf` is that of the segment, or null. In a footer the place in `columns` determines the leaf.
  FieldRuns(const thrift::StructType* type, const Schema& schema, const Node* leaf, const RunSink& sink)
      : names_(type), schema_(schema), leaf_(leaf), sink_(sink) {}

  [[nodiscard]] bool event(const Event& event) override {
    if (event.what == Event::What::element && event.known != nullptr && event.known->name == "columns")
      leaf_ = leaf_at(schema_, event.index);
    if (!close(event.header)) return false;
    const auto depth = static_cast<unsigned>(names_.depth());
    const std::string_view name = names_.next(event);
    if (event.what == Event::What::end_list) return true;
    open_ = Run{event.header, 0, depth, is_end(event) ? "stop" : label_of(event, name), {}};
    if (is_end(event)) return close(event.at + 1);
    own_end_ = event.wire == thrift::Wire::struct_ ? event.at
               : is_container(event)               ? event.at + 1
                                                   : event.end;
    if (event.wire == thrift::Wire::struct_) {
      open_->value = type_text(event);
      // The element of a list has no header, so the bytes of its first field follow at once.
      if (event.header == event.at) return sink_(*std::exchange(open_, std::nullopt));
    } else if (is_container(event)) {
      open_->value = fmt::format("{} of {}", type_text(event), event.integer);
    } else {
      open_->value = is_bound(event) ? bound_text(event.bytes, *leaf_) : field_text(event, kMaxTextBytes);
    }
    return true;
  }

  /// Ends the open run where the walk broke: at its own last byte, as far as that is known.
  bool close_broken() { return close(own_end_); }

  /// Ends the open run before `at`.
  bool close(std::uint64_t at) {
    if (!open_) return true;
    Run run = *std::exchange(open_, std::nullopt);
    run.length = at - run.offset;
    return sink_(run);
  }

 private:
  /// Returns true if the event is a bound of `leaf_`. A bound without bytes may be an absent one.
  [[nodiscard]] bool is_bound(const Event& event) const {
    static constexpr std::string_view kBounds[] = {"min",       "max",        "min_value",
                                                   "max_value", "min_values", "max_values"};
    return leaf_ != nullptr && event.known != nullptr && event.wire == thrift::Wire::binary &&
           !event.bytes.empty() && std::ranges::find(kBounds, event.known->name) != std::end(kBounds);
  }

  FieldNames names_;
  const Schema& schema_;
  const Node* leaf_;
  const RunSink& sink_;
  std::optional<Run> open_;
  std::uint64_t own_end_ =
      0;  // end of the open run known from its event; of a list, the end of its shortest header
};

std::string codec_text(CompressionCodec codec) {
  return enumerator_text(kCompressionCodecEnum, static_cast<int>(codec), "codec");
}

}  // namespace

void Annotator::annotate(const Segment& segment, const RunSink& sink) {
  const auto as_one_run = [&](std::string name, std::string value = {}) {
    (void)sink({segment.offset, segment.length, 0, std::move(name), std::move(value)});
  };
  const bool is_encrypted = layout_.frame.state == Frame::State::encrypted;
  if (segment.length > kMaxAnnotatedBytes) return as_one_run(std::string(to_string(segment.kind)));
  switch (segment.kind) {
    case SegmentKind::magic: {
      const View bytes = pages_.read(segment.offset, segment.length);
      return as_one_run("magic", "\"" + printable(text_of(bytes)) + "\"");
    }
    case SegmentKind::footer_length: {
      const View bytes = pages_.read(segment.offset, segment.length);
      return as_one_run("footer length",
                        bytes.size() == 4 ? std::to_string(load_le<std::uint32_t>(bytes.data())) : "");
    }
    case SegmentKind::page_header:
      return structure(segment, PageHeader::kType, sink);
    case SegmentKind::page_body:
      return body(segment, sink);
    case SegmentKind::column_metadata:
      return structure(segment, segment.complete_chunk ? ColumnChunk::kType : ColumnMetaData::kType, sink);
    case SegmentKind::column_index:
      return structure(segment, ColumnIndex::kType, sink);
    case SegmentKind::offset_index:
      return structure(segment, OffsetIndex::kType, sink);
    case SegmentKind::bloom_filter_header:
      return structure(segment, BloomFilterHeader::kType, sink);
    case SegmentKind::bloom_filter_bitset: {
      constexpr std::uint64_t block = 32;
      for (std::uint64_t at = 0; at < segment.length; at += block) {
        if (!sink({segment.offset + at,
                   std::min(block, segment.length - at),
                   0,
                   fmt::format("block {}", at / block),
                   {}})) {
          return;
        }
      }
      return;
    }
    case SegmentKind::footer:
      return structure(segment, is_encrypted ? FileCryptoMetaData::kType : FileMetaData::kType, sink);
    case SegmentKind::gap:
      return as_one_run("no structure");
  }
}

void Annotator::structure(const Segment& segment, const thrift::StructType& type, const RunSink& sink) {
  const View bytes = pages_.read(segment.offset, segment.length);
  bool going = true;
  std::uint64_t covered = segment.offset;
  const RunSink watched = [&](const Run& run) {
    covered = run.offset + run.length;
    return going = sink(run);
  };
  FieldRuns runs(&type, layout_.schema, leaf_of(segment), watched);
  std::uint64_t end = segment.offset;
  const thrift::WalkEnd how = thrift::walk(bytes, &type, runs, end);
  const bool broken = how == thrift::WalkEnd::broken;
  if (going && broken) (void)runs.close_broken();
  if (!going || covered == segment.end()) return;
  const bool encrypted =
      segment.kind == SegmentKind::footer && layout_.frame.state == Frame::State::encrypted;
  const char* name = broken ? "cannot be read" : encrypted ? "encrypted footer" : "after the structure";
  (void)sink({covered, segment.end() - covered, 0, name, {}});
}

bool Annotator::page_of(const Segment& body, Page& page) {
  return pages_.read_header(body.page_header, body.offset, {}, page) == PageReader::State::read &&
         page.body == body.offset && page.stored_size() == body.length;
}

const Node* Annotator::leaf_of(const Segment& segment) const {
  return segment.place.leaf < 0 ? nullptr
                                : leaf_at(layout_.schema, static_cast<std::uint64_t>(segment.place.leaf));
}

CompressionCodec Annotator::codec_of(const Segment& segment) const {
  return layout_
      .chunks[static_cast<std::size_t>(segment.place.row_group)][static_cast<std::size_t>(segment.place.leaf)]
      .codec;
}

void Annotator::body(const Segment& segment, const RunSink& sink) {
  Page page;
  const auto as_one_run = [&](const char* name) {
    (void)sink({segment.offset, segment.length, 0, name, {}});
  };
  if (!page_of(segment, page)) return as_one_run("a part of a page body");
  const Node* const leaf = leaf_of(segment);
  if (leaf == nullptr || !page.has_member()) return as_one_run("page body");
  const CompressionCodec codec = codec_of(segment);
  annotate_body(page, pages_.read_body(page), *leaf,
                says_compressed(page, codec) ? codec_text(codec) : std::string(),
                variant::role_of(layout_.schema, *leaf), sink);
}

std::span<const std::uint8_t> Annotator::open_image(const Segment& body, std::string& why) {
  leaf_ = leaf_of(body);
  image_ = {};
  why.clear();
  if (body.kind != SegmentKind::page_body || leaf_ == nullptr || !page_of(body, page_) || !page_.has_member())
    return {};
  const CompressionCodec codec = codec_of(body);
  if (!says_compressed(page_, codec)) return {};
  if (!header_faults(page_, *leaf_).empty()) {
    why = "the page cannot be decompressed with the fields of its header";
    return {};
  }
  Notes notes;
  PageContent content(decompressor_, limits_);
  if (content.open(pages_, page_, codec, false, room_, notes) != PageContent::State::open ||
      !content.is_compressed()) {
    why = fmt::format("the {} of the page cannot be decompressed", codec_text(codec));
    return {};
  }
  image_ = content.image();
  return image_.bytes;
}

void Annotator::annotate_image(const RunSink& sink) {
  if (!image_.empty())
    annotate_body(page_, image_, *leaf_, {}, variant::role_of(layout_.schema, *leaf_), sink);
}

}  // namespace parqproof
