#include "codec/model/parse.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/model/claims.hpp"
#include "codec/model/linker.hpp"
#include "codec/model/structures.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof::model {
namespace {

ParseFailure failure_of(const Frame& frame, const Findings& findings) {
  if (frame.state == Frame::State::unreadable || findings.all().empty()) return {};
  const Finding& finding = findings.all().back();
  const bool is_limit = frame.state == Frame::State::limit;
  return {is_limit ? ParseFailure::Why::limit : ParseFailure::Why::no_footer,
          Error{.offset = finding.offset,
                .length = static_cast<std::uint32_t>(std::min<std::uint64_t>(finding.length, UINT32_MAX)),
                .rule = finding.rule}};
}

ParseFailure failure_of(const Error& error) {
  const bool is_limit = error.rule == Rule::limit_memory;
  return {is_limit ? ParseFailure::Why::limit : ParseFailure::Why::broken, error};
}

}  // namespace

/// Builds the model of one file: claims the bytes of all structures, fills the gaps between them, and links
/// the numbers.
class Parser {
 public:
  Parser(const Source& source, const Limits& limits) : source_(source), limits_(limits), model_(source) {}

  std::expected<Model, ParseFailure> run() {
    Findings findings(RuleSet().set());
    const Frame frame = read_frame(source_, source_.size(), limits_, findings);
    const bool is_encrypted = frame.state == Frame::State::encrypted;
    if (!is_encrypted && frame.state != Frame::State::footer)
      return std::unexpected(failure_of(frame, findings));
    claim_frame(frame);
    Result<Tree> tree =
        is_encrypted ? encrypted_footer(frame) : Tree::read(frame.footer, FileMetaData::kType, limits_);
    if (!tree) return std::unexpected(failure_of(tree.error()));
    if (!is_encrypted) {
      Structures structures(source_, limits_, frame.footer_offset, claims_);
      model_.chunks_ = structures.claim(*tree);
      if (structures.failed()) return std::unexpected(ParseFailure{});
      if (structures.too_many()) return std::unexpected(too_many(frame));
    }
    claim_footer(frame, std::move(*tree), is_encrypted);
    if (!claims_.fill_gaps(source_, limits_)) return std::unexpected(ParseFailure{});
    return link();
  }

 private:
  void claim_frame(const Frame& frame) {
    if (has_magic(source_, 0)) claims_.add(stored(Segment::Kind::magic, 0, kMagicBytes));
    const std::uint64_t length_at = frame.end - kFooterTailBytes;
    claims_.add(stored(Segment::Kind::footer_length, length_at, kFooterTailBytes - kMagicBytes));
    claims_.add(stored(Segment::Kind::magic, frame.end - kMagicBytes, kMagicBytes));
  }

  /// The FileCryptoMetaData before an encrypted footer.
  Result<Tree> encrypted_footer(const Frame& frame) {
    const std::uint64_t size = frame.end - kFooterTailBytes - frame.footer_offset;
    std::vector<std::uint8_t> bytes(
        static_cast<std::size_t>(std::min<std::uint64_t>(size, limits_.page_header_bytes())));
    if (!source_.read(frame.footer_offset, bytes)) bytes.clear();
    return Tree::read(View{bytes, frame.footer_offset}, FileCryptoMetaData::kType, limits_);
  }

  void claim_footer(const Frame& frame, Tree tree, bool is_encrypted) {
    const std::uint64_t size = frame.end - kFooterTailBytes - frame.footer_offset;
    const std::uint64_t head = tree.encoded_size();
    Segment footer{.kind = is_encrypted ? Segment::Kind::encrypted_footer : Segment::Kind::footer};
    footer.head = Content::stored(frame.footer_offset, head);
    // Bytes between the struct and the end of an unencrypted footer are a gap.
    if (is_encrypted) footer.body = Content::stored(frame.footer_offset + head, size - head);
    footer.tree = std::make_unique<Tree>(std::move(tree));
    claims_.add(std::move(footer));
  }

  /// Limits::memory_bytes bounds the number of pages.
  [[nodiscard]] static ParseFailure too_many(const Frame& frame) {
    return {ParseFailure::Why::limit, Error{.offset = frame.footer_offset, .rule = Rule::limit_memory}};
  }

  Model link() {
    model_.segments_ = claims_.take();
    model_.order_.resize(model_.segments_.size());
    for (SegmentId id = 0; id < model_.order_.size(); ++id) model_.order_[id] = id;
    Linker(model_).run();
    return std::move(model_);
  }

  const Source& source_;
  const Limits& limits_;
  Model model_;
  Claims claims_;
};

std::expected<Model, ParseFailure> parse(const Source& source, const Limits& limits) {
  return Parser(source, limits).run();
}

}  // namespace parqproof::model
