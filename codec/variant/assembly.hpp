#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/variant/builder.hpp"
#include "codec/variant/judge.hpp"
#include "codec/variant/remembered.hpp"
#include "codec/variant/shredding.hpp"

namespace parqproof::variant {

/// The columns of a Variant, each at an entry. Columns are leaves by their ordinal.
class Columns {
 public:
  virtual ~Columns() = default;

  [[nodiscard]] virtual std::uint32_t repetition(std::size_t leaf) const = 0;
  [[nodiscard]] virtual std::uint32_t definition(std::size_t leaf) const = 0;
  /// The bytes of the value of the current entry, which has one; valid until the next one is read.
  [[nodiscard]] virtual View value(std::size_t leaf) const = 0;
  /// The address of that value if further entries may have it too, because it is in a dictionary; else null.
  /// Columns that return addresses are those of one row group, whose dictionaries stay in memory.
  [[nodiscard]] virtual const std::uint8_t* entry(std::size_t /*leaf*/) const { return nullptr; }
  /// Goes to the next entry. Returns false if there is none, or it cannot be read.
  [[nodiscard]] virtual bool advance(std::size_t leaf) = 0;
};

/// Receives violations by the rows of a Variant.
class RowFaults : public Faults {
 public:
  /// The next violations are in the current entry of this column.
  virtual void at_column(std::size_t leaf) = 0;
  /// The same for the levels of its page, as it has no value.
  virtual void at_levels(std::size_t leaf) = 0;
  /// Counts bytes of a dictionary that are judged again; returns false if they are too many for the file.
  [[nodiscard]] virtual bool afford(std::uint64_t /*bytes*/) { return true; }
  /// Counts a value that may be shredded, if shredding/never-typed is wanted.
  virtual void at_part(const Part& /*part*/, bool /*has_value*/, bool /*has_typed*/) {}
};

/// Takes no violations: rows are read as far as they can be.
class NoRowFaults final : public RowFaults {
 public:
  [[nodiscard]] bool count(Rule) override { return false; }
  void describe(Fault) override {}
  [[nodiscard]] bool wants(Rule) const override { return false; }
  void at_column(std::size_t) override {}
  void at_levels(std::size_t) override {}
};

/// Why the parts of a value cannot be put together.
enum class AssemblyEnd : std::uint8_t {
  complete,
  unreadable,     ///< metadata or a value cannot be decoded, or is nested too deep
  no_column,      ///< a column has no further entry: see Columns::advance()
  disagree,       ///< the columns have lists of different lengths
  too_much_work,  ///< see RowFaults::afford()
};

/// Puts together the values of a Variant from its parts
/// (VariantShredding.md#reconstructing-a-shredded-variant) and judges them. A fault of the levels ends it;
/// other faults do not.
class Assembly {
 public:
  /// `group` must outlive it.
  Assembly(const Group& group, std::uint32_t most_depth);

  /// Reads the entries of one value of all columns. `faults` receives the violations. The value goes to
  /// `builder` unless that is null; it is incomplete if the result is unreadable. Precondition: the group is
  /// there (is_present()).
  [[nodiscard]] AssemblyEnd read(Columns& columns, RowFaults& faults, Builder* builder);
  /// Reads the metadata of the current entries alone; valid until the next value is read.
  [[nodiscard]] const Metadata& read_metadata(Columns& columns, RowFaults& faults);
  /// Call it when the columns have left the row group or reopen a chunk: other dictionaries come.
  void forget() noexcept { remembered_.forget(); }
  /// Returns true if the group is there at the current entries. Otherwise skip() goes past them.
  [[nodiscard]] bool is_present(const Columns& columns) const;
  [[nodiscard]] AssemblyEnd skip(Columns& columns);

 private:
  void read_metadata(const View& bytes);
  void read_names(const View& bytes, NamesOfRow& names);
  void afford(const std::uint8_t* entry, std::uint64_t bytes);
  [[nodiscard]] JudgedValue key_of(const std::uint8_t* entry, const Part& part, bool has_typed) const;
  void judge_dictionary(const View& metadata);
  void judge_names(const View& metadata);
  void use_names(const Part& part);
  void skip_top();
  void pass(std::size_t leaf);
  void part(const Part& part, bool is_required);
  void judge_value(const Part& part, const View& value, bool has_typed);
  void judge_bytes(const Part& part, const View& value, bool has_typed, Faults& of_value);
  void judge_residue(const Part& part, const View& value);
  void judge_type(const Part& part, const View& value);
  void judge_name(const Part& part);
  void typed(const Part& part, const View& value);
  void primitive(const Part& part);
  void elements(const Part& part);
  void advance(std::size_t first, std::size_t last);
  void copy(const View& value);
  void report(Rule rule, const View& at, FindingValue found, FindingValue expected);
  [[nodiscard]] bool is_stopped() const noexcept {
    return end_ == AssemblyEnd::no_column || end_ == AssemblyEnd::disagree ||
           end_ == AssemblyEnd::too_much_work;
  }

  const Group* group_;
  std::uint32_t most_depth_;
  Judge judge_;
  NamesOfRow own_;               // the last one that is not in a dictionary page
  NamesOfRow* names_ = nullptr;  // that of the row; set by read()
  Remembered remembered_;
  std::vector<Rule>* record_ = nullptr;  // of the value that is judged
  bool is_metadata_known_ = false;       // that of the row was read before
  bool counts_names_ = false;
  bool counts_parts_ = false;
  const Part* without_name_ = nullptr;  // the first present field of the row whose name is not
  Columns* columns_ = nullptr;
  RowFaults* faults_ = nullptr;
  Builder* builder_ = nullptr;
  std::string path_;
  AssemblyEnd end_ = AssemblyEnd::complete;
};

}  // namespace parqproof::variant
