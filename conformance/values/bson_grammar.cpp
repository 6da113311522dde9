#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "conformance/values/embedded_documents.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kWord = 4;           // a length field
constexpr std::size_t kEmptyDocument = 5;  // its length and the terminating 00
constexpr std::size_t kObjectId = 12;
constexpr std::size_t kDecimal128 = 16;
constexpr std::uint8_t kOldBinary = 2;  // a subtype whose bytes begin with a second length

/// The types of elements, by their first byte.
enum ElementType : std::uint8_t {
  kDouble = 0x01,
  kString = 0x02,
  kDocument = 0x03,
  kArray = 0x04,
  kBinary = 0x05,
  kUndefined = 0x06,
  kId = 0x07,
  kBoolean = 0x08,
  kDateTime = 0x09,
  kNull = 0x0A,
  kRegularExpression = 0x0B,
  kPointer = 0x0C,
  kCode = 0x0D,
  kSymbol = 0x0E,
  kCodeWithScope = 0x0F,
  kInt32 = 0x10,
  kTimestamp = 0x11,
  kInt64 = 0x12,
  kDecimal = 0x13,
  kMaxKey = 0x7F,
  kMinKey = 0xFF,
};

using Fault = std::optional<DocumentFault>;

}  // namespace

Fault BsonGrammar::fault(std::span<const std::uint8_t> bytes) {
  bytes_ = bytes;
  at_ = 0;
  ends_.clear();
  if (const Fault wrong = begin_document(bytes.size(), true)) return wrong;
  while (!ends_.empty()) {
    const std::size_t end = ends_.back();
    if (at_ == end - 1) {
      if (bytes_[at_] != 0) return DocumentFault{at_, "00 at the end of a document"};
      ++at_;
      ends_.pop_back();
    } else if (const Fault wrong = element(end - 1)) {
      return wrong;
    }
  }
  return std::nullopt;
}

/// Opens a document that ends at or before `end`; exactly at `end` if `to_the_end`.
Fault BsonGrammar::begin_document(std::size_t end, bool to_the_end) {
  const std::size_t room = end - at_;
  if (room < kEmptyDocument) return DocumentFault{at_, "a document of 5 bytes or more"};
  const auto length = std::size_t{load_le<std::uint32_t>(bytes_.data() + at_)};
  if (length < kEmptyDocument || length > room || (to_the_end && length != room))
    return DocumentFault{at_, "the length of the document"};
  ends_.push_back(at_ + length);
  at_ += kWord;
  return std::nullopt;
}

Fault BsonGrammar::element(std::size_t end) {
  const std::size_t begin = at_++;
  const std::uint8_t type = bytes_[begin];
  if (type == 0) return DocumentFault{begin, "an element up to the end of the document"};
  if (type > kDecimal && type != kMaxKey && type != kMinKey)
    return DocumentFault{begin, "the type of an element"};
  if (const Fault wrong = c_string(end)) return wrong;
  return value(type, end);
}

Fault BsonGrammar::value(std::uint8_t type, std::size_t end) {
  switch (type) {
    case kString:
    case kCode:
    case kSymbol:
      return string(end);
    case kDocument:
    case kArray:
      return begin_document(end, false);
    case kBinary:
      return binary(end);
    case kId:
      return skip(kObjectId, end);
    case kBoolean:
      if (at_ < end && bytes_[at_] > 1) return DocumentFault{at_, "00 or 01"};
      return skip(1, end);
    case kRegularExpression:
      if (const Fault wrong = c_string(end)) return wrong;
      return c_string(end);
    case kPointer:
      if (const Fault wrong = string(end)) return wrong;
      return skip(kObjectId, end);
    case kCodeWithScope:
      return code_with_scope(end);
    case kInt32:
      return skip(sizeof(std::int32_t), end);
    case kDouble:
    case kDateTime:
    case kTimestamp:
    case kInt64:
      return skip(sizeof(std::int64_t), end);
    case kDecimal:
      return skip(kDecimal128, end);
    default:  // undefined, null, MinKey and MaxKey
      return std::nullopt;
  }
}

Fault BsonGrammar::skip(std::size_t count, std::size_t end) {
  if (end - at_ < count) return DocumentFault{at_, "the whole value of the element"};
  at_ += count;
  return std::nullopt;
}

Fault BsonGrammar::utf8(std::size_t begin, std::size_t end) const {
  const std::size_t good = utf8_error(bytes_.subspan(begin, end - begin));
  return good == end - begin ? std::nullopt : Fault({begin + good, "UTF-8"});
}

Fault BsonGrammar::c_string(std::size_t end) {
  const auto rest = bytes_.subspan(at_, end - at_);
  const auto zero = std::ranges::find(rest, std::uint8_t{0});
  const std::size_t terminator = at_ + static_cast<std::size_t>(zero - rest.begin());
  if (terminator == end) return DocumentFault{at_, "a name that ends with 00"};
  const Fault wrong = utf8(at_, terminator);
  at_ = terminator + 1;
  return wrong;
}

Fault BsonGrammar::string(std::size_t end) {
  const std::size_t begin = at_;
  if (const Fault wrong = skip(kWord, end)) return wrong;
  const auto length = std::size_t{load_le<std::uint32_t>(bytes_.data() + begin)};
  if (length == 0 || length > end - at_) return DocumentFault{begin, "the length of a string"};
  const std::size_t last = at_ + length - 1;
  if (bytes_[last] != 0) return DocumentFault{last, "00 at the end of a string"};
  const Fault wrong = utf8(at_, last);
  at_ = last + 1;
  return wrong;
}

Fault BsonGrammar::binary(std::size_t end) {
  const std::size_t begin = at_;
  if (const Fault wrong = skip(kWord + 1, end)) return wrong;
  const auto length = std::size_t{load_le<std::uint32_t>(bytes_.data() + begin)};
  if (length > end - at_) return DocumentFault{begin, "the length of a binary value"};
  const bool is_old = bytes_[begin + kWord] == kOldBinary;
  if (is_old && (length < kWord || load_le<std::uint32_t>(bytes_.data() + at_) != length - kWord))
    return DocumentFault{at_, "the length of a binary value again"};
  return skip(length, end);
}

Fault BsonGrammar::code_with_scope(std::size_t end) {
  const std::size_t begin = at_;
  if (const Fault wrong = skip(kWord, end)) return wrong;
  const auto length = std::size_t{load_le<std::uint32_t>(bytes_.data() + begin)};
  if (length < kWord || length > end - begin)
    return DocumentFault{begin, "the length of code with its scope"};
  if (const Fault wrong = string(begin + length)) return wrong;
  return begin_document(begin + length, true);
}

}  // namespace parqproof
