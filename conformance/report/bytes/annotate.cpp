#include "conformance/report/bytes/annotate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/file/bloom_filter.hpp"
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

/// Emits the parts of a module: its ciphertext as one run, or by `content`. Returns false if the sink does.
bool module_runs(View bytes, encryption::Mode mode, unsigned depth, const RunSink& sink,
                 const std::function<bool(View)>& content = {}) {
  const Result<encryption::Module> module = encryption::cut_module(bytes, mode);
  if (!module) return sink({bytes.base, bytes.size(), depth, "no module", {}});
  const std::uint64_t length = module->length - encryption::kModuleLengthBytes;
  const auto part = [&](View run, const char* name) {
    return run.empty() || sink({run.base, run.size(), depth, name, {}});
  };
  const auto end = static_cast<std::size_t>(module->length);
  return sink({bytes.base, encryption::kModuleLengthBytes, depth, "module length", std::to_string(length)}) &&
         part(module->nonce, "nonce") &&
         (content ? content(module->ciphertext) : part(module->ciphertext, "ciphertext")) &&
         part(module->tag, "tag") && part(bytes.from(end), "after the module");
}

/// Makes a run of each event of a walk; the run ends where the next one begins.
class FieldRuns final : public thrift::Visitor {
 public:
  /// `leaf` is that of the segment, or null. In a footer the place in `columns` determines the leaf.
  /// `opened`: metadata of columns that is decrypted in the bytes; may be null.
  FieldRuns(const thrift::StructType* type, const Schema& schema, const Node* leaf,
            const OpenedMetadata* opened, const RunSink& sink)
      : names_(type), schema_(schema), leaf_(leaf), opened_(opened), sink_(sink) {}

  [[nodiscard]] bool event(const Event& event) override {
    if (event.what == Event::What::element && event.known != nullptr && event.known->name == "columns")
      leaf_ = leaf_at(schema_, event.index);
    if (!close(event.header)) return false;
    const auto depth = static_cast<unsigned>(names_.depth());
    const std::string_view name = names_.next(event);
    if (event.what == Event::What::end_list) return true;
    open_ = Run{event.header, 0, depth, is_end(event) ? "stop" : label_of(event, name), {}};
    if (is_module(event)) return module(event.bytes, depth + 1);
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
    covered_ = at;
    return sink_(run);
  }

  /// End of the last run that was emitted.
  [[nodiscard]] std::uint64_t covered() const noexcept { return covered_; }

 private:
  [[nodiscard]] static bool is_module(const Event& event) {
    return event.known != nullptr && event.wire == thrift::Wire::binary && !event.bytes.empty() &&
           event.known->name == "encrypted_column_metadata";
  }
  /// Ends the open run before the module, and emits its parts.
  [[nodiscard]] bool module(View bytes, unsigned depth) {
    if (!close(bytes.base)) return false;
    if (opened_ == nullptr || !opened_->contains(bytes.base))
      return module_runs(bytes, encryption::Mode::gcm, depth, sink_);
    return module_runs(bytes, encryption::Mode::gcm, depth, sink_, [&](View metadata) {
      bool going = true;
      const RunSink deeper = [&](Run run) {
        run.depth += depth;
        return going = sink_(run);
      };
      FieldRuns inner(&ColumnMetaData::kType, schema_, leaf_, nullptr, deeper);
      std::uint64_t end = metadata.base;
      const thrift::WalkEnd how = thrift::walk(metadata, &ColumnMetaData::kType, inner, end);
      if (going && how == thrift::WalkEnd::broken) (void)inner.close_broken();
      end = std::max(end, inner.covered());
      if (going && end < metadata.end())
        (void)deeper({end, metadata.end() - end, 0, "after the structure", {}});
      return going;
    });
  }

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
  const OpenedMetadata* opened_;
  const RunSink& sink_;
  std::uint64_t covered_ = 0;
  std::optional<Run> open_;
  std::uint64_t own_end_ =
      0;  // end of the open run known from its event; of a list, the end of its shortest header
};

/// The blocks of a Bloom filter.
void blocks(std::uint64_t offset, std::uint64_t length, const RunSink& sink) {
  constexpr std::uint64_t kBlock = BloomBlock::kBytes;
  for (std::uint64_t at = 0; at < length; at += kBlock) {
    if (!sink({offset + at, std::min(kBlock, length - at), 0, fmt::format("block {}", at / kBlock), {}}))
      return;
  }
}

/// The struct that a segment is; null if it is none. Of a footer: what describes the file.
const thrift::StructType* struct_of(const Segment& segment) {
  switch (segment.kind) {
    case SegmentKind::page_header:
      return &PageHeader::kType;
    case SegmentKind::column_metadata:
      return segment.complete_chunk ? &ColumnChunk::kType : &ColumnMetaData::kType;
    case SegmentKind::column_index:
      return &ColumnIndex::kType;
    case SegmentKind::offset_index:
      return &OffsetIndex::kType;
    case SegmentKind::bloom_filter_header:
      return &BloomFilterHeader::kType;
    case SegmentKind::footer:
      return &FileMetaData::kType;
    case SegmentKind::magic:
    case SegmentKind::page_body:
    case SegmentKind::bloom_filter_bitset:
    case SegmentKind::footer_length:
    case SegmentKind::gap:
      return nullptr;
  }
  return nullptr;
}

std::string codec_text(CompressionCodec codec) {
  return enumerator_text(kCompressionCodecEnum, static_cast<int>(codec), "codec");
}

}  // namespace

void Annotator::annotate(const Segment& segment, const RunSink& sink) {
  const auto as_one_run = [&](std::string name, std::string value = {}) {
    (void)sink({segment.offset, segment.length, 0, std::move(name), std::move(value)});
  };
  if (segment.length > kMaxAnnotatedBytes) return as_one_run(std::string(to_string(segment.kind)));
  if (segment.module) return module(segment, sink);
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
    case SegmentKind::column_metadata:
    case SegmentKind::column_index:
    case SegmentKind::offset_index:
    case SegmentKind::bloom_filter_header:
      return structure(segment, pages_.read(segment.offset, segment.length), *struct_of(segment), sink);
    case SegmentKind::page_body:
      return body(segment, sink);
    case SegmentKind::bloom_filter_bitset:
      return blocks(segment.offset, segment.length, sink);
    case SegmentKind::footer:
      return footer(segment, sink);
    case SegmentKind::gap:
      return as_one_run("no structure");
  }
}

void Annotator::structure(const Segment& segment, View bytes, const thrift::StructType& type,
                          const RunSink& sink) {
  bool going = true;
  std::uint64_t covered = bytes.base;
  const RunSink watched = [&](const Run& run) {
    covered = run.offset + run.length;
    return going = sink(run);
  };
  const OpenedMetadata* const opened = bytes.data() == opened_.data() ? layout_.frame.opened.get() : nullptr;
  FieldRuns runs(&type, layout_.schema, leaf_of(segment), opened, watched);
  std::uint64_t end = bytes.base;
  const thrift::WalkEnd how = thrift::walk(bytes, &type, runs, end);
  const bool broken = how == thrift::WalkEnd::broken;
  if (going && broken) (void)runs.close_broken();
  if (!going || covered == bytes.end()) return;
  const std::uint64_t rest = bytes.end() - covered;
  // Encryption.md#55-plaintext-footer-mode
  if (!broken && segment.kind == SegmentKind::footer && layout_.has_algorithm &&
      rest == encryption::kNonceBytes + encryption::kTagBytes) {
    if (sink({covered, encryption::kNonceBytes, 0, "nonce of the signature", {}}))
      (void)sink({covered + encryption::kNonceBytes, encryption::kTagBytes, 0, "tag of the signature", {}});
    return;
  }
  (void)sink({covered, rest, 0, broken ? "cannot be read" : "after the structure", {}});
}

void Annotator::footer(const Segment& segment, const RunSink& sink) {
  const View bytes = pages_.read(segment.offset, segment.length);
  opened_ = {};
  if (layout_.frame.crypto.empty()) return structure(segment, bytes, FileMetaData::kType, sink);
  // Encryption.md#54-encrypted-footer-mode: FileCryptoMetaData, then the module.
  FileCryptoMetaData crypto;
  thrift::Reader reader(bytes, {}, limits_);
  const bool is_read = reader.read(crypto);
  const std::size_t head = is_read ? static_cast<std::size_t>(crypto.fields.end - bytes.base) : bytes.size();
  bool going = true;
  structure(segment, bytes.part(0, head), FileCryptoMetaData::kType,
            [&](const Run& run) { return going = sink(run); });
  if (going && head < bytes.size()) (void)module_runs(bytes.from(head), encryption::Mode::gcm, 0, sink);
}

void Annotator::module(const Segment& segment, const RunSink& sink) {
  std::string why;
  std::size_t levels = 0;
  if (segment.kind == SegmentKind::page_body && !open_module(segment, why).empty()) levels = open_levels_;
  const View bytes = pages_.read(segment.offset, segment.length);
  if (levels == 0 || sink({segment.offset, levels, 0, "levels, not encrypted", {}}))
    (void)module_runs(bytes.from(levels), *segment.module, 0, sink);
}

void Annotator::enter(const Segment& segment) {
  if (segment.place.row_group == entered_.row_group && segment.place.leaf == entered_.leaf) return;
  entered_ = segment.place;
  pages_.enter(segment.place);
}

View Annotator::open_module(const Segment& segment, std::string& why) {
  opened_ = {};
  open_levels_ = 0;
  why.clear();
  const Frame& frame = layout_.frame;
  if (segment.kind == SegmentKind::footer) {
    const bool has_more =
        frame.footer.space == Space::module || (frame.opened && !frame.opened->offsets.empty());
    return opened_ = has_more ? frame.footer : View{};
  }
  if (!segment.module || segment.length > kMaxAnnotatedBytes) return {};
  enter(segment);
  if (!pages_.decrypts()) return {};
  why = "it cannot be decrypted";
  if (segment.kind == SegmentKind::page_header || segment.kind == SegmentKind::page_body) {
    pages_.expect_any_page();
    const bool is_header = segment.kind == SegmentKind::page_header;
    const bool is_read =
        is_header ? pages_.read_header(segment.offset, segment.end(), {}, page_) == PageReader::State::read
                  : page_of(segment, page_);
    if (!is_read) return {};
    if (is_header) {
      opened_ = page_.header_bytes;
    } else {
      // Without a codec, a page is what was decrypted.
      Notes notes;
      PageContent content(decompressor_, limits_);
      if (content.open(pages_, page_, CompressionCodec::UNCOMPRESSED, false, room_, notes) !=
          PageContent::State::open)
        return {};
      opened_ = content.image();
      if (content.are_levels_open()) open_levels_ = static_cast<std::size_t>(page_.level_bytes());
    }
  } else {
    using encryption::ModuleType;
    const ModuleType type = segment.kind == SegmentKind::column_index   ? ModuleType::column_index
                            : segment.kind == SegmentKind::offset_index ? ModuleType::offset_index
                            : segment.kind == SegmentKind::bloom_filter_header
                                ? ModuleType::bloom_filter_header
                                : ModuleType::bloom_filter_bitset;
    const auto opened = pages_.open_structure(pages_.read(segment.offset, segment.length), type);
    if (!opened) return {};
    opened_ = *opened;
  }
  why.clear();
  return opened_;
}

void Annotator::annotate_module(const Segment& segment, const RunSink& sink) {
  if (segment.kind == SegmentKind::page_body) return content(segment, page_, opened_, sink);
  if (segment.kind == SegmentKind::bloom_filter_bitset) return blocks(opened_.base, opened_.size(), sink);
  if (const thrift::StructType* const type = struct_of(segment)) structure(segment, opened_, *type, sink);
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
  content(segment, page, pages_.read_body(page), sink);
}

void Annotator::content(const Segment& segment, const Page& page, View bytes, const RunSink& sink) {
  const Node* const leaf = leaf_of(segment);
  if (leaf == nullptr || !page.has_member()) {
    (void)sink({bytes.base, bytes.size(), 0, "page body", {}});
    return;
  }
  const CompressionCodec codec = codec_of(segment);
  annotate_body(page, bytes, *leaf, says_compressed(page, codec) ? codec_text(codec) : std::string(),
                variant::role_of(layout_.schema, *leaf), sink);
}

std::span<const std::uint8_t> Annotator::open_image(const Segment& body, std::string& why) {
  leaf_ = leaf_of(body);
  image_ = {};
  why.clear();
  enter(body);
  pages_.expect_any_page();
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
