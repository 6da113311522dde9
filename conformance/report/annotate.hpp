#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "codec/base/source.hpp"
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

 private:
  void structure(const Segment& segment, const thrift::StructType& type, const RunSink& sink);
  void body(const Segment& segment, const RunSink& sink);

  const Layout& layout_;
  Limits limits_;
  PageReader pages_;
};

}  // namespace parqproof
