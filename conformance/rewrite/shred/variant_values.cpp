#include "conformance/rewrite/shred/variant_values.hpp"

#include <string>
#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kReadAheadOfGroup = std::uint64_t{256} << 10;

}  // namespace

VariantValues::VariantValues(ReadingContext& context, const variant::Group& group, ReadingFailure& failure)
    : group_(group),
      failure_(failure),
      assembly_(group, static_cast<std::uint32_t>(context.limits.schema_depth)),
      most_bytes_(static_cast<std::size_t>(context.limits.row_bytes())) {
  for (std::size_t leaf = group.first; leaf < group.last; ++leaf)
    cursors_.push_back(std::make_unique<ColumnCursor>(context, leaf, kReadAheadOfGroup));
}

bool VariantValues::fail(std::size_t leaf, const PageFault& fault) {
  has_failed_ = true;
  failure_.take(cursor(leaf), chunks_[leaf - group_.first].metadata, fault);
  return false;
}

bool VariantValues::fail_of_memory() {
  const std::string found = "more than " + std::to_string(most_bytes_) + " for a row";
  return fail(group_.metadata,
              PageFault::in_chunk(Rule::limit_memory, "meta_data", contrast(found, most_bytes_)));
}

VariantValues::Step VariantValues::fail(const char* why) {
  if (!std::exchange(has_failed_, true)) failure_.set_message(why);
  return Step::failed;
}

bool VariantValues::open(std::span<const SourceRowGroup::Chunk> chunks) {
  chunks_ = chunks;
  for (std::size_t leaf = group_.first; leaf < group_.last; ++leaf) {
    const PageResult<void> opened = cursor(leaf).open(chunks_[leaf - group_.first].stored);
    if (!opened) return fail(leaf, *opened.error());
  }
  return true;
}

std::uint32_t VariantValues::repetition(std::size_t leaf) const { return cursor(leaf).repetition(); }
std::uint32_t VariantValues::definition(std::size_t leaf) const { return cursor(leaf).definition(); }

View VariantValues::value(std::size_t leaf) const {
  const View section = cursor(leaf).parts().values;
  return {cursor(leaf).value(), section.base, section.space};
}

bool VariantValues::advance(std::size_t leaf) {
  ColumnCursor& moved = cursor(leaf);
  if (moved.at_end()) return false;
  if (const PageResult<void> next = moved.next(); !next) return fail(leaf, *next.error());
  if (const PageResult<void> settled = moved.settle(); !settled) return fail(leaf, *settled.error());
  return true;
}

bool VariantValues::wants(Rule rule) const { return info(rule).severity == Severity::error; }
bool VariantValues::count(Rule rule) { return wants(rule) && !has_failed_; }

void VariantValues::describe(variant::Fault fault) {
  has_failed_ = true;
  const ColumnCursor& at = cursor(leaf_);
  // The rules of columns name a value before they say what is wrong with it.
  const bool is_of_column = info(fault.rule).id.starts_with("logical-type/");
  std::string place = fault.path.empty() ? std::string() : (is_of_column ? "at " : ", at ") + fault.path;
  report_in_page(failure_.findings(), fault.rule, at.place(), at.parts().values.part(0, 0), at.page().offset,
                 contrast(std::move(fault.found), std::move(fault.expected), std::move(place)));
}

VariantValues::Step VariantValues::next() {
  const ColumnCursor& names = cursor(group_.metadata);
  if (names.at_end()) return Step::end;
  repetition_ = names.repetition();
  definition_ = names.definition();
  if (assembly_.is_present(*this)) return group_.is_shredded() ? assemble() : take_stored();
  if (assembly_.skip(*this) == variant::AssemblyEnd::complete) return Step::absent;
  return fail("the columns of a VARIANT have different numbers of entries");
}

/// A value that is in the column `value` alone stays as it is, if it breaks no rule.
VariantValues::Step VariantValues::take_stored() {
  const auto copy = [this](std::size_t leaf, std::vector<std::uint8_t>& to) {
    const std::span<const std::uint8_t> bytes = cursor(leaf).value();
    to.assign(bytes.begin(), bytes.end());
  };
  const variant::Part& top = group_.top;
  if (!top.value || cursor(*top.value).definition() != top.value_definition) return assemble();
  copy(group_.metadata, metadata_);
  copy(*top.value, value_);
  const variant::AssemblyEnd end = assembly_.read(*this, *this, nullptr);
  if (has_failed_) return Step::failed;
  if (end == variant::AssemblyEnd::complete) return Step::value;
  return fail("the columns of a VARIANT have different numbers of entries");
}

VariantValues::Step VariantValues::assemble() {
  builder_.clear(most_bytes_);
  switch (assembly_.read(*this, *this, &builder_)) {
    case variant::AssemblyEnd::no_column:
    case variant::AssemblyEnd::disagree:
      return fail("the columns of a VARIANT differ in their entries");
    case variant::AssemblyEnd::unreadable:
    case variant::AssemblyEnd::too_much_work:
      if (builder_.size() > most_bytes_) {
        (void)fail_of_memory();
        return Step::failed;
      }
      return fail("a value of a VARIANT cannot be put together");
    case variant::AssemblyEnd::complete:
      break;
  }
  if (has_failed_) return Step::failed;
  metadata_.clear();
  value_.clear();
  if (builder_.finish(metadata_, value_)) return Step::value;
  return fail("a value of a VARIANT is too large, or has two fields of one name");
}

}  // namespace parqproof
