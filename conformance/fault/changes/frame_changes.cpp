// Changes of the bytes around the footer, and of the whole file.
#include <algorithm>

#include "conformance/fault/changes.hpp"

namespace parqproof::fault {
namespace {

using model::Content;
using model::Segment;
using model::SegmentId;

std::vector<std::uint8_t> copied(std::string_view text) { return {text.begin(), text.end()}; }

std::vector<std::uint8_t> emitted(model::Model& model) {
  std::vector<std::uint8_t> bytes;
  const auto end = model.emit([&](std::span<const std::uint8_t> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return true;
  });
  return end == model::EmitEnd::complete ? bytes : std::vector<std::uint8_t>();
}

Segment gap_of(std::string_view text) {
  Segment gap{.kind = Segment::Kind::gap};
  gap.body = Content::own(copied(text));
  return gap;
}

}  // namespace

bool change_head_magic(File& file, const Site& /*site*/, const Change& change) {
  const SegmentId magic = file.model().order().front();
  if (file.model().segment(magic).kind != Segment::Kind::magic) return false;
  file.model().set_body(magic, copied(change.text));
  return true;
}

bool change_tail_magic(File& file, const Site& /*site*/, const Change& change) {
  file.model().set_body(file.model().order().back(), copied(change.text));
  return true;
}

bool change_footer_length(File& file, const Site& /*site*/, const Change& change) {
  model::Model& model = file.model();
  const std::uint64_t length = change.number >= 0
                                   ? static_cast<std::uint64_t>(change.number)
                                   : std::min<std::uint64_t>(model.source().size(), UINT32_MAX);
  model.set_footer_length(model.segments_of(Segment::Kind::footer_length).back(),
                          static_cast<std::uint32_t>(length));
  return true;
}

bool cut_file(File& file, const Site& /*site*/, const Change& change) {
  file.bytes = emitted(file.model());
  if (file.bytes.size() <= static_cast<std::uint64_t>(change.number)) return false;
  file.bytes.resize(static_cast<std::size_t>(change.number));
  return true;
}

bool insert_before_footer(File& file, const Site& /*site*/, const Change& change) {
  file.model().insert(gap_of(change.text), file.model().footer());
  return true;
}

bool insert_after_footer(File& file, const Site& /*site*/, const Change& change) {
  file.model().insert(gap_of(change.text), file.model().segments_of(Segment::Kind::footer_length).back());
  return true;
}

bool repeat_footer(File& file, const Site& /*site*/, const Change& /*change*/) {
  model::Model& model = file.model();
  const SegmentId footer = model.duplicate(model.footer());
  model.move(footer, model.footer());
  Segment length{.kind = Segment::Kind::footer_length};
  length.body = Content::own({0, 0, 0, 0});
  length.footer = footer;
  model.insert(std::move(length), model.footer());
  Segment magic{.kind = Segment::Kind::magic};
  magic.body = Content::own(copied("PAR1"));
  model.insert(std::move(magic), model.footer());
  return true;
}

bool text_mode(File& file, const Site& /*site*/, const Change& /*change*/) {
  constexpr std::size_t kMinLineFeeds = 5;  // fewer are no evidence of a copy in text mode
  std::size_t count = 0;
  for (const std::uint8_t byte : emitted(file.model())) {
    if (byte == '\n') {
      file.bytes.push_back('\r');
      ++count;
    }
    file.bytes.push_back(byte);
  }
  return count >= kMinLineFeeds;
}

bool cut_page_body(File& file, const Site& site, const Change& change) {
  const auto missing = static_cast<std::size_t>(change.number);
  const std::uint64_t size = file.model().segment(site.segment).body.size();
  if (size < 3 * missing) return false;
  file.bytes = emitted(file.model());
  const auto from = static_cast<std::ptrdiff_t>(file.model().body_offset_of(site.segment) + size / 2);
  file.bytes.erase(file.bytes.begin() + from,
                   file.bytes.begin() + from + static_cast<std::ptrdiff_t>(missing));
  return true;
}

bool undefined_type(File& file, const Site& /*site*/, const Change& /*change*/) {
  // The last field before the stop byte has a type nibble that the compact protocol does not define.
  std::vector<std::uint8_t> bytes;
  file.footer().write(bytes);
  bytes.back() = 0x1F;
  bytes.push_back(0);
  file.model().set_head(file.model().footer(), std::move(bytes));
  return true;
}

bool cut_footer(File& file, const Site& /*site*/, const Change& /*change*/) {
  std::vector<std::uint8_t> bytes;
  file.footer().write(bytes);
  bytes.pop_back();
  file.model().set_head(file.model().footer(), std::move(bytes));
  return true;
}

bool deep_field(File& file, const Site& /*site*/, const Change& /*change*/) {
  constexpr int kDepth = 100;  // above the limit of most readers
  model::Tree& footer = file.footer();
  model::NodeId node = model::kRoot;
  for (int i = 0; i < kDepth; ++i) node = footer.add_field(node, i == 0 ? 100 : 1, thrift::Wire::struct_);
  return true;
}

}  // namespace parqproof::fault
