#include <algorithm>
#include <array>
#include <tuple>

#include "codec/base/text.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/cli/vectors/vectors.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/field_text.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;
using thrift::Event;

/// A structure that vectors can describe.
struct Form {
  const thrift::StructType* type;
  void (*judge)(thrift::Reader& reader);
};

template <typename Struct>
constexpr Form form_of() {
  return {&Struct::kType, [](thrift::Reader& reader) {
            Struct out;
            std::ignore = reader.read(out);  // errors are findings
          }};
}

constexpr std::array kForms{form_of<PageHeader>(),   form_of<ColumnIndex>(),       form_of<OffsetIndex>(),
                            form_of<FileMetaData>(), form_of<BloomFilterHeader>(), form_of<SchemaElement>()};

/// Known fields by name, as a JSON object; enumerations as numbers, binaries in hex.
class Fields final : public thrift::Visitor {
 public:
  [[nodiscard]] bool event(const Event& event) override {
    const bool end = event.what == Event::What::end_struct || event.what == Event::What::end_list;
    if (end) {
      if (!open_.empty()) open_.pop_back();  // the outermost struct ends too
      return true;
    }
    json* const slot = slot_of(event);
    if (!is_container(event)) {
      if (slot != nullptr) *slot = value_of(event);
      return true;
    }
    if (slot != nullptr) *slot = event.wire == thrift::Wire::struct_ ? json::object() : json::array();
    open_.push_back(slot);
    return true;
  }
  [[nodiscard]] const json& fields() const noexcept { return fields_; }

 private:
  /// Destination of the value; null for an unknown field.
  json* slot_of(const Event& event) {
    json* const outer = open_.empty() ? &fields_ : open_.back();
    if (outer == nullptr) return nullptr;
    if (event.what == Event::What::field) {
      return event.known == nullptr ? nullptr : &(*outer)[std::string(event.known->name)];
    }
    outer->push_back(nullptr);
    return &outer->back();
  }

  static json value_of(const Event& event) {
    switch (kind_of(event)) {
      case thrift::Kind::boolean:
        return event.integer != 0;
      case thrift::Kind::double_:
        return event.real;
      case thrift::Kind::string:
        return text_of(event.bytes);
      case thrift::Kind::binary:
        return hex(event.bytes.bytes);
      default:
        return event.integer;
    }
  }

  json fields_ = json::object();
  std::vector<json*> open_;  // open containers; each element ends before the next is added
};

class Structure final : public VectorSubject {
 public:
  Structure(const Form& form, json fields) : form_(form), fields_(std::move(fields)) {}

  [[nodiscard]] Outcome decode(std::span<const std::uint8_t> bytes) const override {
    Outcome outcome{Findings{RuleSet().set()}, {}};
    const Limits limits;
    const View view{bytes};
    thrift::Reader reader(view, {&outcome.findings, {}, {}}, limits);
    form_.judge(reader);
    outcome.findings.sort();
    Fields fields;
    std::uint64_t end = 0;
    const bool complete = thrift::walk(view, form_.type, fields, end) == thrift::WalkEnd::complete;
    if (!complete || fields.fields() != fields_)
      outcome.difference =
          "the fields are " + fields.fields().dump(-1, ' ', false, json::error_handler_t::replace);
    return outcome;
  }

 private:
  Form form_;
  json fields_;
};

}  // namespace

MadeSubject struct_subject(Members& members) {
  const std::string name = members.text("struct");
  const json* const fields = members.find("fields", false);
  if (!members.missing().empty()) return nullptr;
  const auto* const form = std::ranges::find(kForms, name, [](const Form& row) { return row.type->name; });
  if (form == kForms.end()) return std::unexpected("no vector is of a struct named '" + name + "'");
  return std::make_unique<Structure>(*form, fields == nullptr ? json() : *fields);
}

}  // namespace parqproof::cli
