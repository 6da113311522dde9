#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/page/page_reader.hpp"
#include "conformance/report/bytes/layout.hpp"

namespace parqproof {

/// Bytes inside a segment, and what they are.
struct Run {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  unsigned depth = 0;  ///< structs and lists around it
  std::string name;    ///< a field, or a part of a page body
  std::string value;   ///< in words; empty where there is none
};

/// Takes a run; false ends the annotation.
using RunSink = std::function<bool(const Run&)>;

/// Names the bytes of segments: Thrift structures field by field, the bodies of uncompressed pages down to
/// levels and values.
class Annotator {
 public:
  Annotator(const Source& source, const Layout& layout) : layout_(layout), pages_(source, limits_, 0) {}

  /// The runs of a segment, in order, covering it exactly. What cannot be taken apart is one run.
  void annotate(const Segment& segment, const RunSink& sink);

  /// The uncompressed image of a page body that is compressed; it stays valid until the next call of any
  /// kind. Empty where the body is not compressed, or cannot be uncompressed: then `why` says so in words.
  [[nodiscard]] std::span<const std::uint8_t> open_image(const Segment& body, std::string& why);
  /// The runs of the image that was opened last; they count from its first byte.
  void annotate_image(const RunSink& sink);

 private:
  void structure(const Segment& segment, const thrift::StructType& type, const RunSink& sink);
  void body(const Segment& segment, const RunSink& sink);
  /// Reads the header of the page that a body belongs to; false where they do not fit together.
  [[nodiscard]] bool page_of(const Segment& body, Page& page);
  /// The leaf of a segment; null where the schema has none.
  [[nodiscard]] const Node* leaf_of(const Segment& segment) const;
  [[nodiscard]] CompressionCodec codec_of(const Segment& segment) const;

  const Layout& layout_;
  Limits limits_;
  PageReader pages_;
  Decompressor decompressor_;
  Buffer room_;
  Page page_;                   // of the image
  const Node* leaf_ = nullptr;  // likewise
  View image_;
};

}  // namespace parqproof
