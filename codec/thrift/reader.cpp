#include "codec/thrift/reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/fast_fields.hpp"
#include "codec/thrift/reader_detail.hpp"

namespace parqproof::thrift {
namespace {

/// Size of the UUID, or of a similar name, with which an extension begins.
constexpr std::size_t kNameBytes = 16;

/// Faults that leave the framing intact but make readers disagree on the struct or reject it: which of two
/// fields or members is used, the text of a string, and whether bytes are an extension.
constexpr std::array kAmbiguous{Rule::extension_field_type, Rule::thrift_duplicate_field,
                                Rule::thrift_string_utf8, Rule::thrift_union_exactly_one};

/// Returns true if the content of the struct is ambiguous after the fault or cannot be decoded. Other faults
/// concern its form, or things unknown to this program.
bool leaves_doubt(Rule rule) noexcept {
  return info(rule).klass == Class::malformed || std::ranges::find(kAmbiguous, rule) != kAmbiguous.end();
}

}  // namespace

Reader::Reader(View bytes, const Judged& judged, const Limits& limits) noexcept
    : cursor_(bytes, {}), judged_(judged), limits_(&limits) {}

void Reader::fault(Rule rule, std::uint64_t offset, std::uint64_t length, FindingValue found,
                   FindingValue expected) {
  ++faults_;
  if (leaves_doubt(rule)) sound_ = false;
  damaged_ = damaged_ || info(rule).klass == Class::malformed;
  too_deep_ = too_deep_ || rule == Rule::thrift_nesting_depth;
  if (Doubt::is_sign(rule)) {
    ++signs_;
    if (open_ != nullptr && open_->signs++ == 0) open_->before_sign = open_->met.present;
  }
  Doubt::Fault fault{rule, path_.last_field(), open_ == nullptr ? 0 : open_->number};
  if (Doubt::is_sign(rule)) {
    fault.found = found;
    fault.expected = expected;
  }
  Finding finding;
  const bool wanted = judged_.findings != nullptr && judged_.findings->wants(rule);
  if (wanted) {
    finding.rule = rule;
    finding.place = judged_.place;
    finding.offset = offset;
    finding.length = length;
    finding.field = path();
    finding.found = std::move(found);
    finding.expected = std::move(expected);
    if (rule == Rule::thrift_field_type || rule == Rule::thrift_optional_field_type ||
        rule == Rule::thrift_compact_protocol)
      finding.detail = field_before();
  }
  doubt_.add(fault, wanted ? &finding : nullptr, judged_.findings);
  if (doubt_.misread() && rule != Rule::thrift_nesting_depth) sound_ = false;
}

std::string Reader::field_before() const {
  if (open_ == nullptr || open_->type == nullptr) return {};
  const Field* const before = open_->type->find(open_->before);
  if (before == nullptr) return {};
  std::string bare = "; the field before it is " + std::string(before->name);
  if (open_->out == nullptr || !open_->met.has(before->id)) return bare;
  const std::byte* const slot = static_cast<const std::byte*>(open_->out) + before->offset;
  const auto number = [&]<typename T>(T value) {
    std::memcpy(&value, slot, sizeof value);
    return "; " + std::string(before->name) + " before it is " + std::to_string(value);
  };
  if (before->kind == Kind::i64) return number(std::int64_t{});
  if (before->kind == Kind::i32 || before->kind == Kind::enumeration) return number(std::int32_t{});
  return bare;
}

void Reader::close(const StructType& type, Open& open, bool framed) {
  if (!framed || (open.signs != 0 && doubt_.misread())) {
    open.met.misread = true;
    if (open.signs != 0) {
      open.met.faulty |= open.met.present & ~open.before_sign;
      open.met.present &= open.before_sign;
    }
  }
  doubt_.close(open.number, judged_.findings);
  const bool clean = framed && open.faults == faults_ && type.required != 0;
  if (clean || depth_ == 0) doubt_.report_and_reset(judged_.findings);
}

bool Reader::cut(std::string expected) {
  // The innermost open field is the one whose value the bytes cannot hold.
  const std::uint64_t at = path_.innermost_field(cursor_.offset());
  const std::uint64_t left = cursor_.remaining();
  fault(Rule::thrift_stop_byte, at, cursor_.offset() + left - at, count_of_bytes(left), std::move(expected));
  return false;
}

bool Reader::enter(std::uint64_t at) {
  if (depth_ >= limits_->nesting || !path_.has_room(2)) {
    const std::uint64_t length = at < cursor_.rest().end() ? 1 : 0;
    fault(Rule::thrift_nesting_depth, at, length, depth_ + 1, limits_->nesting);
    return false;
  }
  ++depth_;
  return true;
}

void Reader::copy(void* to, const void* from, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

bool Reader::structure(const StructType& type, void* out) {
  FastReader fast(cursor_.rest(), handler_, limits_->nesting, passed_);
  if (const std::size_t length = fast.structure(type, static_cast<std::byte*>(out), depth_); length != 0) {
    static_cast<void>(cursor_.take(length));
    if (!doubt_.none() && type.required != 0) doubt_.report_and_reset(judged_.findings);
    return true;
  }
  Open open;
  open.type = &type;
  open.out = out;
  open.number = ++structs_;
  open.faults = faults_;
  open.met.offset = cursor_.offset();
  if (!enter(open.met.offset)) return false;
  Open* const outer = std::exchange(open_, &open);
  bool framed = true;
  while (framed && !open.stopped) {
    fast_fields(type, out, open);
    if (!open.stopped) framed = field(type, out, open);
  }
  leave();
  open.met.end = cursor_.offset();
  if (framed) check_presence(type, open);
  close(type, open, framed);
  open_ = outer;
  if (out != nullptr) store(out, open.met);
  return framed;
}

void Reader::fast_fields(const StructType& type, void* out, Open& open) noexcept {
  if (type.is_union || !open.previous_good) return;
  FastReader fast(cursor_.rest(), handler_, limits_->nesting, passed_);
  FastReader::Fields fields{open.met.present, open.met.faulty, open.previous, false};
  static_cast<void>(cursor_.take(fast.fields(type, static_cast<std::byte*>(out), depth_, fields)));
  open.met.present = fields.present;
  open.previous = fields.previous;
  open.stopped = fields.stopped;
}

bool Reader::field_header(Open& open, FieldHeader& out) {
  out.at = cursor_.offset();
  const Result<std::uint8_t> header = cursor_.le<std::uint8_t>();
  if (!header) {
    fault(Rule::thrift_stop_byte, out.at, 0, count_of_bytes(0), "a stop byte");
    return false;
  }
  if (*header == 0) {
    open.stopped = true;
    return true;
  }
  const auto nibble = static_cast<std::uint8_t>(*header & 0x0F);
  if (!is_wire_type(nibble)) {
    fault(Rule::thrift_compact_protocol, out.at, 1, "type " + std::to_string(nibble), between(1, 13));
    return false;
  }
  out.wire = static_cast<Wire>(nibble);
  out.delta = *header >> 4;
  if (out.delta != 0) {
    const std::int32_t id = open.previous + out.delta;
    out.id = static_cast<std::int16_t>(id);
    out.good = open.previous_good && out.id == id;
    if (open.previous_good && !out.good) fault(Rule::thrift_field_id, out.at, 1, id, between(1, 32767));
  } else {
    const std::uint64_t at = cursor_.offset();
    const WireVarint number = read_varint(cursor_);
    if (number.framing == WireVarint::Framing::cut) {
      fault(Rule::thrift_stop_byte, out.at, cursor_.offset() + cursor_.remaining() - out.at,
            count_of_bytes(cursor_.remaining()), "a field id");
      return false;
    }
    if (number.framing == WireVarint::Framing::endless) return endless("an i16 of at most 3 bytes");
    out.id = static_cast<std::int16_t>(unzigzag(static_cast<std::uint32_t>(number.value)));
    out.good = fits_field_id(number);
    if (!out.good) {
      fault(Rule::thrift_varint_overflow, at, number.length, text_of(number), "an i16 of at most 3 bytes");
    } else if (!number.canonical) {
      fault(Rule::thrift_varint_canonical, at, number.length, out.id);
    }
  }
  out.length = cursor_.offset() - out.at;
  return true;
}

void Reader::check_id(const FieldHeader& header, const Open& open) {
  const std::int32_t previous = open.previous;
  if (open.previous_good && header.delta == 0 && header.id > previous && header.id - previous <= 15) {
    fault(Rule::thrift_short_field_header, header.at, header.length, count_of_bytes(header.length),
          count_of_bytes(1));
  }
  if (header.id == kPrintedExtensionId && header.wire == Wire::binary) {
    fault(Rule::extension_wire_id, header.at, header.length, header.id, kExtensionId);
  } else if (header.id < 1) {
    fault(Rule::thrift_field_id, header.at, header.length, header.id, between(1, 32767));
  } else if (open.previous_good && header.id < previous) {
    fault(Rule::thrift_field_order, header.at, header.length, header.id, more_than(previous));
  }
}

bool Reader::field(const StructType& type, void* out, Open& open) {
  FieldHeader header;
  if (!field_header(open, header)) return false;
  if (open.stopped) return true;
  if (!header.good) return nameless_field(header, open);
  const Field* known = type.find(header.id);
  path_.enter_field(known, header.id, header.at);
  check_id(header, open);
  open.before = std::exchange(open.previous, header.id);
  open.previous_good = true;
  if (open.extension.length != 0 && !is_extension(header.id, header.wire)) after_extension(open);
  const bool framed = known != nullptr ? known_field(type, *known, header, out, open)
                      : is_extension(header.id, header.wire) && &type != &kUnknownStruct
                          ? extension(type, header, open)
                          : unknown_field(type, header, open);
  path_.leave();
  return framed;
}

// Skips a field whose id does not fit or counts from one that does not, so the field cannot be identified.
bool Reader::nameless_field(const FieldHeader& header, Open& open) {
  path_.enter_field(nullptr, header.id, header.at);
  open.before = std::exchange(open.previous, header.id);
  open.previous_good = false;
  if (open.extension.length != 0) after_extension(open);
  const bool framed = skip(header.wire);
  path_.leave();
  return framed;
}

bool Reader::extension(const StructType& type, const FieldHeader& header, Open& open) {
  if (open.extension.length != 0) {
    fault(Rule::thrift_duplicate_field, header.at, header.length, kExtensionId);
    return skip(header.wire);
  }
  open.extension = header;
  open.met.unknown = header.id;
  count_member(type, header, open);
  if (header.wire != Wire::binary) {
    fault(Rule::extension_field_type, header.at, header.length, wire_name(header.wire), "binary");
    return skip(header.wire);
  }
  const std::uint64_t at = cursor_.offset();
  View bytes;
  bool good = true;
  if (!binary(nullptr, bytes, good)) return false;
  fault(Rule::extension_present, header.at, header.length,
        counted(bytes.size(), "byte") + (bytes.size() <= 2 * kNameBytes
                                             ? ": " + hex(bytes.bytes)
                                             : ", from " + hex(bytes.bytes.first(kNameBytes)) + " to " +
                                                   hex(bytes.bytes.last(kNameBytes))),
        std::string(type.name));
  if (bytes.size() < kNameBytes) {
    fault(Rule::extension_disambiguation, at, cursor_.offset() - at, bytes.size(), at_least(kNameBytes));
  }
  return true;
}

/// Reports extension/last-field at an extension that another field follows.
void Reader::after_extension(Open& open) {
  if (std::exchange(open.extension_passed, true)) return;
  const FieldHeader& header = open.extension;
  const ValuePath::Step other = std::exchange(path_.last(), {nullptr, -1, header.id, header.at});
  fault(Rule::extension_last_field, header.at, header.length,
        other.field != nullptr ? FindingValue(other.field->name) : other.unknown_id, "the stop byte");
  path_.last() = other;
}

bool Reader::unknown_field(const StructType& type, const FieldHeader& header, Open& open) {
  const std::uint64_t bit = header.id >= 1 && header.id < 64 ? std::uint64_t{1} << header.id : 0;
  if (header.id != 0 && (header.id == open.met.unknown || (open.unknown_ids & bit) != 0)) {
    fault(Rule::thrift_duplicate_field, header.at, header.length, header.id);
    return skip(header.wire);
  }
  open.unknown_ids |= bit;
  open.met.unknown = header.id;
  count_member(type, header, open);
  if (header.id >= 1 && &type != &kUnknownStruct) {
    fault(Rule::thrift_unknown_field, header.at, header.length,
          std::to_string(header.id) + " (" + wire_name(header.wire) + ")", std::string(type.name));
  }
  return skip(header.wire);
}

bool Reader::known_field(const StructType& type, const Field& known, const FieldHeader& header, void* out,
                         Open& open) {
  if (open.met.mentions(known.id)) {
    fault(Rule::thrift_duplicate_field, header.at, header.length, known.name);
    return skip(header.wire);
  }
  count_member(type, header, open);
  const std::uint32_t bit = 1U << known.id;
  bool good = true;
  bool framed = true;
  if (!known.takes(header.wire)) {
    const bool required = known.presence == Presence::required;
    fault(required ? Rule::thrift_field_type : Rule::thrift_optional_field_type, header.at, header.length,
          wire_name(header.wire), wire_name(wire_of(known.kind)));
    good = false;
    framed = skip(header.wire);
  } else {
    framed = value(known, header.wire, out == nullptr ? nullptr : static_cast<std::byte*>(out) + known.offset,
                   good);
  }
  (good && framed ? open.met.present : open.met.faulty) |= bit;
  return framed;
}

void Reader::count_member(const StructType& type, const FieldHeader& header, Open& open) {
  ++open.members;
  if (open.members == 1) {
    open.first = header;
  } else if (type.is_union && open.members == 2) {
    fault(Rule::thrift_union_exactly_one, header.at, header.length, "several members", "one member");
  }
}

void Reader::check_presence(const StructType& type, const Open& open) {
  const Presences& met = open.met;
  const std::uint64_t length = met.end - met.offset;
  if (type.is_union) {
    if (open.members == 0) {
      fault(Rule::thrift_union_exactly_one, met.offset, length, "no member", "one member");
    } else if (open.members == 1 && (met.present | met.faulty) == 0) {
      path_.enter_field(nullptr, open.first.id, open.first.at);
      fault(Rule::thrift_unknown_union_member, open.first.at, open.first.length, open.first.id, type.name);
      path_.leave();
    }
    return;
  }
  if (((met.present | met.faulty) & type.required) == type.required) return;
  const Field* first = nullptr;
  std::string absent;
  for (const Field& required : type.fields) {
    if (required.presence != Presence::required || met.mentions(required.id)) continue;
    if (first == nullptr) first = &required;
    absent += (absent.empty() ? "" : ", ") + std::string(required.name);
  }
  path_.enter_field(first, 0, met.offset);
  fault(Rule::thrift_required_field, met.offset, length, kAbsent, std::move(absent));
  path_.leave();
}

bool Reader::elements(const Field& field, const List& list) {
  depth_ += 2;  // the list and the struct that contains it
  path_.enter_field(&field, 0, list.bytes.base);
  bool good = true;
  const bool framed = each(field, list, good);
  path_.leave();
  depth_ -= 2;
  doubt_.report_and_reset(judged_.findings);
  return framed;
}

bool Reader::pass_over() {
  if (depth_ < limits_->nesting) {
    const std::size_t length = skippable_length(cursor_.rest().bytes, limits_->nesting - depth_);
    if (length != 0) {
      static_cast<void>(cursor_.take(length));
      return true;
    }
  }
  const Judged judged = std::exchange(judged_, Judged{});
  const std::uint64_t faults = faults_;
  const bool sound = sound_;
  const bool damaged = damaged_;
  const std::uint64_t signs = signs_;
  Doubt doubt = std::exchange(doubt_, Doubt{});
  const bool framed = structure(kUnknownStruct, nullptr);
  doubt_ = std::move(doubt);
  judged_ = judged;
  faults_ = faults;
  sound_ = sound;
  damaged_ = damaged;
  signs_ = signs;
  return framed;
}

}  // namespace parqproof::thrift
