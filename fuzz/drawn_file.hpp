#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/rules/rule.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/write/options.hpp"
#include "codec/write/shredder.hpp"

namespace parqproof::fuzz {

/// Choices, made by the bytes of an input and, after its end, by a generator of numbers that they seed.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) noexcept;
  /// Returns a number below `count`, which is at least 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t count) noexcept;
  /// True once in `times`.
  [[nodiscard]] bool once_in(std::uint64_t times) noexcept { return below(times) == 0; }
  [[nodiscard]] std::uint64_t bits() noexcept;

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t state_;
};

/// A schema that follows all recommendations, with lists, maps and groups of all depths, and all types and
/// annotations.
class DrawnSchema {
 public:
  explicit DrawnSchema(Choices& choices);
  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
  [[nodiscard]] thrift::List list() const noexcept { return elements_.list(); }

 private:
  void add_field(Choices& choices, unsigned depth, FieldRepetitionType repetition, std::string_view name);
  void add_leaf(Choices& choices, FieldRepetitionType repetition, std::string_view name);
  void add(SchemaElement element, FieldRepetitionType repetition, std::string_view name);

  thrift::ListBuilder<SchemaElement> elements_;
  std::vector<std::uint8_t> bytes_;
  Schema schema_;
  int leaves_ = 0;
};

/// Adds a row to a shredder.
void draw_row(Choices& choices, const Schema& schema, Shredder& to);

/// The rules that options of the writer entail, and those of them that the file breaks that an input draws.
[[nodiscard]] std::set<Rule> entailed_rules();
[[nodiscard]] std::set<Rule> broken_rules(std::span<const std::uint8_t> input);

/// The bytes of a file with the keys that it was written with, if it is encrypted.
[[nodiscard]] std::unique_ptr<Source> source_of(std::span<const std::uint8_t> file,
                                                const WriteOptions& options, const Schema& schema);

/// Options that the schema allows. `encrypted`: those of an encrypted file; else it is one by chance.
[[nodiscard]] WriteOptions drawn_options(Choices& choices, const Schema& schema, bool encrypted = false);

}  // namespace parqproof::fuzz
