#include "conformance/report/json_writer.hpp"

#include "conformance/report/escape.hpp"

namespace parqproof {

void JsonWriter::begin(char open, char close) {
  next();
  *out_ << std::string_view(&open, 1);
  open_.push_back(close);
  first_ = true;
}

void JsonWriter::end() {
  const char close = open_.back();
  open_.pop_back();
  if (!first_ && open_.size() < broken_) *out_ << "\n" << std::string(2 * open_.size(), ' ');
  *out_ << std::string_view(&close, 1);
  if (open_.empty()) *out_ << "\n";
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  next();
  *out_ << json_string(name) << (open_.size() <= broken_ ? ": " : ":");
  after_key_ = true;
}

void JsonWriter::string(std::string_view bytes) {
  next();
  *out_ << json_string(bytes);
}

void JsonWriter::real(double value) { raw(json_real(value)); }

void JsonWriter::raw(std::string_view text) {
  next();
  *out_ << text;
}

void JsonWriter::next() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (!first_) *out_ << ",";
  if (open_.size() <= broken_) *out_ << "\n" << std::string(2 * open_.size(), ' ');
  first_ = false;
}

}  // namespace parqproof
