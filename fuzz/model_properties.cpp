// Properties of the model of a file.
#include <algorithm>
#include <string>

#include "codec/model/parse.hpp"
#include "fuzz/invariants.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

/// Compares emitted bytes with those of a file, and counts them.
class Compared {
 public:
  explicit Compared(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool take(std::span<const std::uint8_t> piece) {
    equal_ = equal_ && piece.size() <= bytes_.size() - count_ &&
             std::ranges::equal(piece, bytes_.subspan(count_, piece.size()));
    count_ += piece.size();
    return true;
  }
  [[nodiscard]] bool all_equal() const noexcept { return equal_ && count_ == bytes_.size(); }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t count_ = 0;
  bool equal_ = true;
};

/// Numbers that follow from each other.
class Draw {
 public:
  explicit Draw(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) state_ = (state_ ^ byte) * 0x100000001B3U;
  }
  [[nodiscard]] std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325U;
};

void change_tree(model::Tree& tree, Draw& draw) {
  model::NodeId node = model::kRoot;
  for (std::size_t depth = 1 + draw.below(5); depth != 0; --depth) {
    const std::vector<model::NodeId> inner = tree.children(node);
    if (!inner.empty()) node = inner[draw.below(inner.size())];
  }
  if (node == model::kRoot) return;
  switch (draw.below(4)) {
    case 0:
      return tree.set_form(node, static_cast<std::uint8_t>(draw.below(3)), draw.below(2) == 0);
    case 1:
      return static_cast<void>(tree.duplicate(node));
    case 2:
      return tree.set_wire(node, static_cast<thrift::Wire>(1 + draw.below(13)));
    default:
      return tree.remove(node);
  }
}

void change(model::Model& file, Draw& draw) {
  const model::SegmentId id = file.order()[draw.below(file.order().size())];
  switch (draw.below(6)) {
    case 0:
      return file.remove(id);
    case 1:
      return static_cast<void>(file.duplicate(id));
    case 2:
      return file.move(id, file.order()[draw.below(file.order().size())]);
    case 3:
      return file.set_body(id, std::vector<std::uint8_t>(draw.below(300)));
    default:
      if (model::Tree* const tree = file.tree(id)) change_tree(*tree, draw);
  }
}

/// A file is emitted as it was parsed. After any changes it has as many bytes as its layout says, and the
/// same ones each time.
std::string model_fault(std::span<const std::uint8_t> bytes) {
  const MemorySource source(bytes);
  auto file = model::parse(source, small_limits());
  if (!file) {
    const bool inside = file.error().error.offset <= bytes.size();
    return inside && file.error().why != model::ParseFailure::Why::unreadable ? "" : "the error has no place";
  }
  Compared same(bytes);
  if (file->emit([&](auto piece) { return same.take(piece); }) != model::EmitEnd::complete ||
      !same.all_equal())
    return "the emitted file differs";
  Draw draw(bytes);
  for (std::size_t left = 1 + draw.below(8); left != 0; --left) change(*file, draw);
  std::vector<std::uint8_t> changed;
  const auto end = file->emit([&](auto piece) {
    changed.insert(changed.end(), piece.begin(), piece.end());
    return true;
  });
  if (end != model::EmitEnd::complete) return "a changed file is not emitted";
  const model::SegmentId last = file->order().back();
  const std::uint64_t begin = file->offset_of(last);
  if (changed.size() < begin || (file->segment(last).removed && changed.size() != begin))
    return "the layout differs from the emitted bytes";
  Compared again(changed);
  static_cast<void>(file->emit([&](auto piece) { return again.take(piece); }));
  return again.all_equal() ? "" : "a second emission differs from the first";
}

}  // namespace

void add_model_properties(std::vector<Property>& properties) { properties.push_back({"model", model_fault}); }

}  // namespace parqproof::fuzz
