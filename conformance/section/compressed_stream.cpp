#include "conformance/section/compressed_stream.hpp"

#include "conformance/state/finding_site.hpp"

namespace parqproof {

Findings expand_stream(CompressionCodec codec, std::span<const std::uint8_t> bytes, std::size_t size,
                       const Limits& limits, Buffer& out) {
  Findings findings{RuleSet().set()};
  Decompressor decompressor;
  Notes notes;
  const Result<std::size_t> produced = decompressor.expand(codec, View{bytes}, size, out, 0, limits, notes);
  for (const Notes::Note& note : notes.all()) report_error(findings, {}, note.error, 0, note.times);
  if (!produced) {
    report_error(findings, {}, produced.error(), 0);
  } else if (*produced != size) {
    // page/uncompressed-size
    report_at(findings, Rule::page_uncompressed_size, {}, 0, bytes.size(), contrast(size, *produced));
  }
  findings.sort();
  return findings;
}

}  // namespace parqproof
