#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "codec/base/source.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/report/bytes/layout.hpp"

namespace parqproof {

/// A run of bytes in a segment, with its meaning.
struct Run {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  unsigned depth = 0;  ///< number of enclosing structs and lists
  std::string name;    ///< a field, or a part of a page body
  std::string value;   ///< as text; empty if none
};

/// Receives a run; returning false ends the annotation.
using RunSink = std::function<bool(const Run&)>;

/// The runs of the stored body of `page`: levels, then values, single ones if their encoding allows;
/// compressed bytes as one run. `codec` is the name of the codec that compressed the body, or empty. `role`:
/// what the values are in a Variant, whose bytes are split too.
void annotate_body(const Page& page, const View& stored, const Node& leaf, const std::string& codec,
                   variant::Role role, const RunSink& sink);

/// Splits segments into named runs: Thrift structures into fields, the bodies of uncompressed pages into
/// levels and values.
class Annotator {
 public:
  Annotator(const Source& source, const Layout& layout) : layout_(layout), pages_(source, limits_, 0) {}

  /// The runs of a segment, in order, covering it exactly. A segment that cannot be parsed is one run.
  void annotate(const Segment& segment, const RunSink& sink);

  /// The uncompressed image of a compressed page body, valid until the next call of any kind. Empty if the
  /// body is not compressed or cannot be decompressed; then `why` is the reason.
  [[nodiscard]] std::span<const std::uint8_t> open_image(const Segment& body, std::string& why);
  /// The runs of the last opened image, with offsets from its first byte.
  void annotate_image(const RunSink& sink);

  /// The bytes of an encrypted segment, decrypted at their place in the file; of a footer, with the metadata
  /// of columns decrypted. Valid until the next call of any kind. Empty if nothing is encrypted, or there is
  /// no key; then, or if they do not authenticate, `why` is the reason or empty.
  [[nodiscard]] View open_module(const Segment& segment, std::string& why);
  /// The runs of the module that was opened last, with offsets in the file.
  void annotate_module(const Segment& segment, const RunSink& sink);

 private:
  void structure(const Segment& segment, View bytes, const thrift::StructType& type, const RunSink& sink);
  void module(const Segment& segment, const RunSink& sink);
  void footer(const Segment& segment, const RunSink& sink);
  /// Makes the keys of the chunk of a segment those of the reader.
  void enter(const Segment& segment);
  void body(const Segment& segment, const RunSink& sink);
  /// The runs of the bytes of a page body that are not encrypted, or were decrypted.
  void content(const Segment& segment, const Page& page, View bytes, const RunSink& sink);
  /// Reads the header of the page of a body; false if they do not match.
  [[nodiscard]] bool page_of(const Segment& body, Page& page);
  /// The leaf of a segment; null if the schema has none.
  [[nodiscard]] const Node* leaf_of(const Segment& segment) const;
  [[nodiscard]] CompressionCodec codec_of(const Segment& segment) const;

  const Layout& layout_;
  Limits limits_;
  PageReader pages_;
  Decompressor decompressor_;
  Buffer room_;
  Page page_;                   // page of the image
  const Node* leaf_ = nullptr;  // leaf of the image
  View image_;
  std::size_t open_levels_ = 0;  // bytes of levels before the module of a page body
  View opened_;                  // the module that was opened last
  Place entered_;                // chunk of the reader
};

}  // namespace parqproof
