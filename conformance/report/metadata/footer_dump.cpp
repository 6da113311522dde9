#include <fmt/format.h>

#include <vector>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/metadata/metadata.hpp"
#include "conformance/report/words/field_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

using thrift::Event;

/// Max bytes of a string or binary in a line of text.
constexpr std::size_t kMaxTextBytes = 200;

/// Returns true for encrypted_column_metadata that was decrypted at its place.
bool is_opened(const Event& event, const OpenedMetadata* opened) {
  return opened != nullptr && event.wire == thrift::Wire::binary && opened->contains(event.bytes.base);
}

/// A line for each field: offset of its value, name, type and value, indented by depth.
class TextDump final : public thrift::Visitor {
 public:
  /// `opened`: encrypted column metadata that was decrypted, which is shown as a struct; may be null.
  TextDump(Out& out, const thrift::StructType* type, const OpenedMetadata* opened, std::size_t outer = 0)
      : out_(out), names_(type), opened_(opened), outer_(outer) {}
  [[nodiscard]] bool event(const Event& event) override {
    const std::size_t depth = outer_ + names_.depth() + 1;
    const std::string_view name = names_.next(event);
    if (is_end(event)) return !out_.closed();
    out_ << fmt::format("{:>12}  {}{}", event.at, std::string(2 * depth, ' '), label_of(event, name));
    if (is_opened(event, opened_)) return decrypted(event, depth);
    const bool strange = event.known == nullptr && event.what == Event::What::field;
    if (is_container(event)) {
      out_ << ": " << type_text(event);
      if (event.wire != thrift::Wire::struct_) out_ << fmt::format(" of {}", event.integer);
    } else {
      if (strange) out_ << ": " << type_text(event);
      out_ << " = " << field_text(event, kMaxTextBytes);
    }
    const bool extension = thrift::is_extension(event.id, event.wire) && event.wire == thrift::Wire::binary;
    if (strange && !name.empty() && !extension) out_ << "  (not the type of the field)";
    out_ << "\n";
    return !out_.closed();
  }

 private:
  bool decrypted(const Event& event, std::size_t depth) {
    out_ << ": ColumnMetaData, decrypted\n";
    TextDump inside(out_, &ColumnMetaData::kType, nullptr, depth);
    std::uint64_t end = 0;
    static_cast<void>(thrift::walk(opened_metadata(event.bytes), &ColumnMetaData::kType, inside, end));
    return !out_.closed();
  }

  Out& out_;
  FieldNames names_;
  const OpenedMetadata* opened_;
  std::size_t outer_;
};

/// An object for each field; those of a struct are in `fields`, those of a list, set or map in `elements`.
class JsonDump final : public thrift::Visitor {
 public:
  JsonDump(Out& out, JsonWriter& json, const thrift::StructType* type, const OpenedMetadata* opened)
      : out_(out), json_(json), names_(type), opened_(opened) {}

  [[nodiscard]] bool event(const Event& event) override {
    const std::string_view field = names_.next(event);
    if (is_end(event)) {
      if (begins_.empty()) return true;  // the footer itself
      close(event.what == Event::What::end_struct ? event.at + 1 : event.at);
      return !out_.closed();
    }
    json_.begin_object();
    name(event, field);
    json_.member("type", type_text(event));
    json_.member("header", event.header);
    json_.member("offset", event.at);
    if (is_container(event)) {
      if (event.wire != thrift::Wire::struct_) json_.member("count", event.integer);
      json_.key(event.wire == thrift::Wire::struct_ ? "fields" : "elements");
      json_.begin_array();
      begins_.push_back(event.at);
    } else {
      json_.member("length", event.end - event.at);
      if (is_opened(event, opened_)) {
        decrypted(event);
      } else {
        value(event);
      }
      json_.end();
    }
    return !out_.closed();
  }

  /// Closes the containers left open by a broken walk; unknown lengths are left out.
  void finish() {
    for (; !begins_.empty(); begins_.pop_back()) {
      json_.end();
      json_.end();
    }
  }

 private:
  void decrypted(const Event& event) {
    json_.member("decrypted", true);
    json_.key("fields");
    json_.begin_array();
    JsonDump inside(out_, json_, &ColumnMetaData::kType, nullptr);
    std::uint64_t end = 0;
    static_cast<void>(thrift::walk(opened_metadata(event.bytes), &ColumnMetaData::kType, inside, end));
    inside.finish();
    json_.end();
  }

  void name(const Event& event, std::string_view field) {
    if (event.what == Event::What::field) {
      json_.member("id", event.id);
      if (field.empty()) {
        json_.member("unknown", true);
      } else {
        json_.member("name", field);
      }
      return;
    }
    json_.member("index", event.index);
    if (event.what == Event::What::key) json_.member("part", "key");
    if (event.what == Event::What::value) json_.member("part", "value");
  }

  void value(const Event& event) {
    switch (kind_of(event)) {
      case thrift::Kind::boolean:
        json_.member("value", event.integer != 0);
        break;
      case thrift::Kind::double_:
        json_.key("value"), json_.real(event.real);
        break;
      case thrift::Kind::string:
        if (utf8_error(event.bytes.bytes) == event.bytes.size()) {
          json_.member("value", text_of(event.bytes));
        } else {
          json_.object("value", [&] { json_.member("hex", hex(event.bytes.bytes)); });
        }
        break;
      case thrift::Kind::binary:
        json_.member("value", hex(event.bytes.bytes));
        break;
      case thrift::Kind::enumeration:
        json_.member("value", event.integer);
        if (symbol_of(event).empty()) {
          json_.member("unknown", true);
        } else {
          json_.member("symbol", symbol_of(event));
        }
        break;
      default:
        json_.member("value", event.integer);
        break;
    }
  }

  void close(std::uint64_t end) {
    json_.end();
    json_.member("length", end - begins_.back());
    json_.end();
    begins_.pop_back();
  }

  Out& out_;
  JsonWriter& json_;
  FieldNames names_;
  const OpenedMetadata* opened_;
  std::vector<std::uint64_t> begins_;  // start offsets of the open containers
};

/// Walks over the footer, and records the offset at which the walk broke.
void walk_footer(FooterBytes& footer, thrift::Visitor& visitor, std::uint64_t& end) {
  if (footer.bytes.empty()) return;
  if (thrift::walk(footer.bytes, footer.type, visitor, end) == thrift::WalkEnd::broken) {
    footer.stop = why_broken(footer, end);
    footer.end = DumpEnd::stopped;
  }
}

}  // namespace

ShownFooter dump_footer_text(const Source& source, const std::string& path, Out& out) {
  std::vector<std::uint8_t> encrypted;
  FooterBytes footer = find_footer(source, encrypted);
  out << fmt::format("{}: {}", printable(path), counted(source.size(), "byte"));
  if (take_what_is_left(source, footer)) {
    out << fmt::format(", whose footer is lost; the rest of one, at byte {}", offset_text(footer.bytes.base));
  } else if (!footer.bytes.empty()) {
    out << fmt::format(", footer of {} at byte {}", counted(footer.bytes.size(), "byte"),
                       offset_text(footer.bytes.base));
  }
  out << "\n\n";
  std::uint64_t end = footer.bytes.base;
  if (!footer.bytes.empty()) {
    out << fmt::format("{:>12}  {}\n", end, footer.type->name);
    TextDump dump(out, footer.type, footer.frame.opened.get());
    walk_footer(footer, dump, end);
  }
  if (footer.stop) {
    out << fmt::format("\nstopped at byte {}: {}\n", offset_text(footer.stop->offset),
                       printable(footer.stop->why));
  } else if (footer.end == DumpEnd::encrypted) {
    out << fmt::format("\nthe bytes from {} on are encrypted\n", offset_text(end));
  } else if (footer.end == DumpEnd::unreadable) {
    out << "\nthe file could not be read\n";
  } else if (end < footer.bytes.end()) {
    out << fmt::format("\n{} after the structure, at byte {}\n", counted(footer.bytes.end() - end, "byte"),
                       offset_text(end));
  }
  return shown(footer);
}

ShownFooter dump_footer_json(const Source& source, const std::string& path, Out& out) {
  std::vector<std::uint8_t> encrypted;
  FooterBytes footer = find_footer(source, encrypted);
  const bool is_lost = take_what_is_left(source, footer);
  JsonWriter json(out, 2);
  json.begin_object();
  json.member("path", path);
  json.member("size", source.size());
  std::uint64_t end = footer.bytes.base;
  if (!footer.bytes.empty()) {
    if (is_lost) json.member("footer_lost", true);
    json.member("footer_offset", footer.bytes.base);
    json.member("footer_length", footer.bytes.size());
    json.member("type", footer.type->name);
    json.key("fields");
    json.begin_array();
    JsonDump dump(out, json, footer.type, footer.frame.opened.get());
    walk_footer(footer, dump, end);
    dump.finish();
    json.end();
    json.member("length", end - footer.bytes.base);
  }
  if (footer.stop) {
    json.object("stopped", [&, &stop = *footer.stop] {
      json.member("offset", stop.offset);
      json.member("why", stop.why);
    });
  }
  if (footer.end == DumpEnd::encrypted) json.member("encrypted", true);
  json.end();
  return shown(footer);
}

}  // namespace parqproof
