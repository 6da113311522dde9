#include "conformance/rows/variant_text.hpp"

namespace parqproof {
namespace {

std::uint32_t depth_of(const Limits& limits) { return static_cast<std::uint32_t>(limits.schema_depth); }

}  // namespace

VariantText::VariantText(const variant::Group& group, const Limits& limits)
    : group_(&group),
      most_(limits.row_bytes()),
      assembly_(group, depth_of(limits)),
      json_(VariantForm::plain, depth_of(limits)) {}

VariantText::End VariantText::append(std::string& row, variant::Columns& columns) {
  return group_->is_shredded() ? append_assembled(row, columns) : append_stored(row, columns);
}

VariantText::End VariantText::write(std::string& row, const variant::Metadata& metadata,
                                    std::span<const std::uint8_t> value) {
  if (json_.append(row, metadata, value, static_cast<std::size_t>(most_))) return End::complete;
  return row.size() > most_ ? End::too_long : End::unreadable;
}

/// A value that is in the column `value` alone.
VariantText::End VariantText::append_stored(std::string& row, variant::Columns& columns) {
  variant::NoRowFaults ignored;  // `check` reports what is wrong
  const variant::Metadata& metadata = assembly_.read_metadata(columns, ignored);
  const variant::Part& top = group_->top;
  const bool is_there = top.value && columns.definition(*top.value) == top.value_definition;
  End end = End::complete;
  if (is_there) {
    end = write(row, metadata, columns.value(*top.value).bytes);
  } else {
    row += "null";
  }
  for (std::size_t leaf = group_->first; leaf < group_->last; ++leaf) {
    if (!columns.advance(leaf)) return End::no_column;
  }
  return end;
}

VariantText::End VariantText::append_assembled(std::string& row, variant::Columns& columns) {
  variant::NoRowFaults ignored;
  builder_.clear(static_cast<std::size_t>(most_));
  switch (assembly_.read(columns, ignored, &builder_)) {
    case variant::AssemblyEnd::no_column:
      return End::no_column;
    case variant::AssemblyEnd::disagree:
      return End::disagree;
    case variant::AssemblyEnd::unreadable:
    case variant::AssemblyEnd::too_much_work:
      return builder_.size() > most_ ? End::too_long : End::unreadable;
    case variant::AssemblyEnd::complete:
      break;
  }
  metadata_bytes_.clear();
  value_.clear();
  // Two fields of one name are both shown.
  if (!builder_.finish(metadata_bytes_, value_) && value_.empty()) return End::too_long;
  metadata_.read({metadata_bytes_}, ignored);
  return write(row, metadata_, value_);
}

}  // namespace parqproof
