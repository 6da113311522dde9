#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/file/page_reader.hpp"
#include "conformance/report/layout.hpp"

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

  /// The same for the body of a compressed page as its image, which offsets of the runs count in. Returns the
  /// image, good until the next call; empty where the page cannot be uncompressed, or its image is very long.
  View annotate_image(const Segment& body, const RunSink& sink);

 private:
  void structure(const Segment& segment, const thrift::StructType& type, const RunSink& sink);
  void body(const Segment& segment, const RunSink& sink);
  [[nodiscard]] bool read_page(const Segment& body, Page& page);
  [[nodiscard]] const Node* leaf_of(const Segment& body) const;
  [[nodiscard]] CompressionCodec codec_of(const Segment& body) const;

  const Layout& layout_;
  Limits limits_;
  PageReader pages_;
  Decompressor decompressor_;
  Buffer room_;
};

}  // namespace parqproof
