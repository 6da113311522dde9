#include "conformance/rewrite/scrub/scrub_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "codec/base/bytes.hpp"
#include "codec/base/text.hpp"

namespace parqproof {
namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr OtherBytes fixed(std::uint8_t byte) { return {byte, byte}; }

OtherBytes ascii_range(std::uint8_t byte) {
  if (byte >= '0' && byte <= '9') return {'0', '9'};
  if (byte >= 'A' && byte <= 'Z') return {'A', 'Z'};
  if (byte >= 'a' && byte <= 'z') return {'a', 'z'};
  return fixed(byte);
}

/// Bytes of UTF-8 in order: which continuation bytes may follow.
class Utf8State {
 public:
  OtherBytes next(std::uint8_t byte) {
    if (byte < 0x80) {
      left_ = 0;
      return ascii_range(byte);
    }
    if (byte < 0xC0) {
      // One that continues no character is invalid whatever it is.
      const bool is_fixed = left_ != 0 && is_second_of_edge_;
      is_second_of_edge_ = false;
      if (left_ != 0) --left_;
      return is_fixed ? fixed(byte) : OtherBytes{0x80, 0xBF};
    }
    left_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : byte < 0xF5 ? 3 : 0;
    // The byte after these decides if the character is valid, or is a control character or a byte order mark.
    is_second_of_edge_ =
        byte < 0xC3 || byte == 0xE0 || byte == 0xE2 || (byte >= 0xED && byte < 0xF1) || byte == 0xF4;
    static constexpr std::array<OtherBytes, 4> kAlike{
        {{0xC3, 0xDF}, {0xE3, 0xEC}, {0xF1, 0xF3}, {0xF5, 0xFF}}};
    for (const OtherBytes range : kAlike) {
      if (byte >= range.low && byte <= range.high) return range;
    }
    return fixed(byte);
  }

 private:
  unsigned left_ = 0;
  bool is_second_of_edge_ = false;
};

/// JSON: strings change, except escapes; digits of numbers do, except zeros.
class JsonState {
 public:
  OtherBytes next(std::uint8_t byte) {
    if (!in_string_) {
      if (byte == '"') in_string_ = true;
      return byte >= '1' && byte <= '9' ? OtherBytes{'1', '9'} : fixed(byte);
    }
    if (escaped_ != 0) {
      --escaped_;
      if (is_first_escaped_ && byte == 'u') escaped_ = 4;
      is_first_escaped_ = false;
      return fixed(byte);
    }
    if (byte == '\\') {
      escaped_ = 1;
      is_first_escaped_ = true;
    }
    if (byte == '"') in_string_ = false;
    return utf8_.next(byte);
  }

 private:
  Utf8State utf8_;
  bool in_string_ = false;
  unsigned escaped_ = 0;
  bool is_first_escaped_ = false;
};

OtherBytes binary_range(std::uint8_t byte) {
  return byte < 0x80 ? OtherBytes{0x00, 0x7F} : OtherBytes{0x80, 0xFF};
}

/// Zero bytes and 0xFF may extend a number.
OtherBytes number_range(std::uint8_t byte) {
  if (byte == 0 || byte == 0xFF) return fixed(byte);
  return byte < 0x80 ? OtherBytes{0x01, 0x7F} : OtherBytes{0x80, 0xFE};
}

/// BSON: types, lengths and zero bytes are fixed.
class BsonRanges {
 public:
  BsonRanges(std::span<const std::uint8_t> value, std::vector<OtherBytes>& out) : value_(value), out_(out) {}

  void document(unsigned depth = 0) {
    skip(4);
    while (at_ < value_.size() && value_[at_] != 0 && depth < kMaxDepth) {
      const std::uint8_t type = value_[at_];
      skip(1);
      name();
      if (!element(type, depth)) return;
    }
    skip(1);
  }

 private:
  static constexpr unsigned kMaxDepth = 100;

  void skip(std::size_t count) { at_ = std::min(at_ + count, value_.size()); }
  void any(std::size_t count) {
    for (const std::size_t end = std::min(at_ + count, value_.size()); at_ < end; ++at_) out_[at_] = {0, 255};
  }
  void text(std::size_t count) {
    Utf8State utf8;
    for (const std::size_t end = std::min(at_ + count, value_.size()); at_ < end; ++at_)
      out_[at_] = utf8.next(value_[at_]);
  }
  void name() {
    Utf8State utf8;
    for (; at_ < value_.size() && value_[at_] != 0; ++at_) out_[at_] = utf8.next(value_[at_]);
    skip(1);
  }
  std::size_t length() {
    std::uint32_t length = 0;
    if (value_.size() - at_ >= sizeof length) std::memcpy(&length, value_.data() + at_, sizeof length);
    skip(sizeof length);
    return length;
  }
  bool element(std::uint8_t type, unsigned depth) {
    switch (type) {
      case 0x01:
      case 0x09:
      case 0x11:
      case 0x12:
        any(8);
        return true;
      case 0x10:
        any(4);
        return true;
      case 0x07:
        any(12);
        return true;
      case 0x02:
      case 0x0D:
      case 0x0E:
        text(length());
        return true;
      case 0x03:
      case 0x04:
        document(depth + 1);
        return true;
      case 0x05: {
        const std::size_t bytes = length();
        skip(1);
        any(bytes);
        return true;
      }
      case 0x08:
        skip(1);
        return true;
      case 0x0B:
        name();
        skip(0);
        name();
        return true;
      case 0x06:
      case 0x0A:
      case 0x7F:
      case 0xFF:
        return true;
      default:
        return false;  // the rest is fixed
    }
  }

  std::span<const std::uint8_t> value_;
  std::vector<OtherBytes>& out_;
  std::size_t at_ = 0;
};

/// Names that give a schema its meaning, or that all writers use, in any case: a wrong case is a fault to
/// keep.
constexpr std::array<std::string_view, 33> kKeptNames{"schema",
                                                      "root",
                                                      "spark_schema",
                                                      "hive_schema",
                                                      "duckdb_schema",
                                                      "arrow_schema",
                                                      "m",
                                                      "list",
                                                      "element",
                                                      "array",
                                                      "array_element",
                                                      "bag",
                                                      "item",
                                                      "items",
                                                      "map",
                                                      "key_value",
                                                      "key",
                                                      "value",
                                                      "metadata",
                                                      "typed_value",
                                                      "entries",
                                                      "ARROW:schema",
                                                      "pandas",
                                                      "geo",
                                                      "writer.model.name",
                                                      "parquet.avro.schema",
                                                      "iceberg.schema",
                                                      "org.apache.spark.version",
                                                      "org.apache.spark.sql.parquet.row.metadata",
                                                      "parqproof.salvage",
                                                      "uri",
                                                      "offset",
                                                      "size"};

/// Letters and digits that a name may lose; signs and invalid bytes stay.
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_';
}

}  // namespace

std::vector<OtherBytes> byte_ranges(std::span<const std::uint8_t> value, TextForm form) {
  std::vector<OtherBytes> ranges;
  ranges.reserve(value.size());
  Utf8State utf8;
  JsonState json;
  for (const std::uint8_t byte : value) {
    ranges.push_back(form == TextForm::text     ? utf8.next(byte)
                     : form == TextForm::json   ? json.next(byte)
                     : form == TextForm::binary ? binary_range(byte)
                     : form == TextForm::number ? number_range(byte)
                                                : fixed(byte));
  }
  if (form == TextForm::bson) BsonRanges(value, ranges).document();
  return ranges;
}

void blank_text(std::span<std::uint8_t> bytes, TextForm form) {
  const std::vector<OtherBytes> ranges = byte_ranges(bytes, form);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const OtherBytes range = ranges[i];
    if (range.low == range.high) continue;
    bytes[i] = range.low == 'a' ? 'x' : range.low == 'A' ? 'X' : range.low == '0' ? '1' : range.low;
  }
}

void blank_text_runs(std::span<std::uint8_t> bytes) {
  static constexpr std::size_t kShortest = 4;
  for (std::size_t from = 0; from < bytes.size();) {
    std::size_t end = from;
    while (end < bytes.size() && bytes[end] >= 0x20 && bytes[end] < 0x7F) ++end;
    const std::span<std::uint8_t> run = bytes.subspan(from, end - from);
    const std::string_view text = text_of(run);
    if (run.size() >= kShortest && text != "PAR1" && text != "PARE") blank_text(run);
    from = end + 1;
  }
}

std::string blank_base64(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  unsigned bits = 0;
  std::uint32_t room = 0;
  for (const char c : text) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) break;
    room = room << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<std::uint8_t>(room >> bits));
    }
  }
  // Strings of a flatbuffer follow their length and end with a zero byte.
  for (std::size_t at = 0; at + 5 < bytes.size(); ++at) {
    const std::size_t size = static_cast<std::size_t>(bytes[at]) | static_cast<std::size_t>(bytes[at + 1])
                                                                       << 8;
    if (size == 0 || bytes[at + 2] != 0 || bytes[at + 3] != 0 || size > bytes.size() - at - 5) continue;
    const std::span<std::uint8_t> string(bytes.data() + at + 4, size);
    const bool is_text = bytes[at + 4 + size] == 0 &&
                         std::ranges::all_of(string, [](std::uint8_t byte) { return byte >= 0x20; });
    if (is_text && text_of(string) != "PARQUET:field_id") blank_text(string);
  }
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i) three = three << 8 | (i < count ? bytes[at + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= count ? kBase64[three >> (18 - 6 * i) & 63U] : '=';
  }
  out.resize(text.size(), '=');
  return out;
}

std::string NameMap::of(std::string_view name) {
  const std::string folded = to_lower(name);
  const auto is_kept = [&](std::string_view kept) { return kept == name || kept == folded; };
  if (name.empty() || std::ranges::any_of(kKeptNames, is_kept)) return std::string(name);
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  static constexpr std::string_view kTuple = "_tuple";  // of the elements of old lists
  if (name.ends_with(kTuple) && names_.contains(name.substr(0, name.size() - kTuple.size()))) {
    std::string tuple = of(name.substr(0, name.size() - kTuple.size())) + std::string(kTuple);
    return names_.emplace(name, std::move(tuple)).first->second;
  }
  auto& [ordinal, variants] = alike_.try_emplace(folded, alike_.size(), 0).first->second;
  std::string fresh = "c" + std::to_string(ordinal);
  // Names that differ in case alone get the same letters in other cases.
  if (variants != 0) {
    fresh = (variants % 2 != 0 ? "C" : "c") + std::to_string(ordinal);
    if (variants > 1) fresh += "_" + std::to_string(variants);
  }
  ++variants;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_word(name[i]) && static_cast<unsigned char>(name[i]) < 0x80) fresh += name[i];
  }
  // Bytes beyond ASCII: invalid ones stay, and of valid characters one kind is left.
  std::vector<std::uint8_t> rest;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) >= 0x80) rest.push_back(static_cast<std::uint8_t>(c));
  }
  blank_text(rest);
  fresh.append(rest.begin(), rest.end());
  return names_.emplace(name, std::move(fresh)).first->second;
}

std::string NameMap::of_path(std::string_view path) {
  static constexpr std::string_view kEnding = ".parquet";
  std::string out;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, end - from);
    if (part == "." || part == "..") {
      out += part;
    } else if (part.ends_with(kEnding)) {
      out += of(part.substr(0, part.size() - kEnding.size())) + std::string(kEnding);
    } else {
      out += of(part);
    }
    if (end < path.size()) out += '/';
    from = end + 1;
  }
  return out;
}

}  // namespace parqproof
