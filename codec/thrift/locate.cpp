#include "codec/thrift/locate.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "codec/thrift/walk.hpp"

namespace parqproof::thrift {
namespace {

/// One step of a path: a field name, or the index of an element.
struct Step {
  std::string_view name;
  std::uint64_t index = 0;
};

std::vector<Step> steps_of(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '.') {
      path.remove_prefix(1);
    } else if (path.front() == '[') {
      Step step;
      std::from_chars(path.data() + 1, path.data() + path.size(), step.index);
      steps.push_back(step);
      const std::size_t close = path.find(']');
      path.remove_prefix(close == path.npos ? path.size() : close + 1);
    } else {
      const std::size_t length = std::min(path.find_first_of(".["), path.size());
      steps.push_back({path.substr(0, length), 0});
      path.remove_prefix(length);
    }
  }
  return steps;
}

/// Follows the path during a walk. `depth_` counts the open containers inside the outermost struct,
/// `matched_` those of them that are on the path.
class Finder final : public Visitor {
 public:
  Finder(std::vector<Step> steps, std::uint64_t begin) : steps_(std::move(steps)), struct_at_(begin) {}

  [[nodiscard]] bool event(const Event& event) override {
    const bool end_struct = event.what == Event::What::end_struct;
    if (end_struct || event.what == Event::What::end_list) {
      const std::uint64_t end = event.at + (end_struct ? 1 : 0);
      if (extent_.present && depth_ == target_depth_) return finish(end);
      if (!extent_.present && end_struct && depth_ == struct_depth_) {  // it lacks the next step
        extent_.header = extent_.value = struct_at_;
        return finish(end);
      }
      if (depth_ == matched_) lacking_ = true;
      --depth_;
      return true;
    }
    const bool container = event.wire == Wire::struct_ || event.wire == Wire::list ||
                           event.wire == Wire::set || event.wire == Wire::map;
    if (container) ++depth_;
    if (extent_.present || lacking_ || matched_ == steps_.size() || !fits(event)) return true;
    if (depth_ != matched_ + (container ? 1 : 0)) return true;
    if (matched_ + 1 == steps_.size()) {
      extent_ = {event.header, event.at, 0, true};
      target_depth_ = depth_;
      return container || finish(event.end);
    }
    if (!container) return true;
    ++matched_;
    if (event.wire == Wire::struct_) {
      struct_at_ = event.at;
      struct_depth_ = depth_;
    }
    return true;
  }

  /// Returns the result of a walk that ended at `end`.
  [[nodiscard]] Extent found(std::uint64_t end) const {
    if (finished_) return extent_;
    if (extent_.present) return {extent_.header, extent_.value, end, true};
    return {struct_at_, struct_at_, end, false};
  }

 private:
  [[nodiscard]] bool finish(std::uint64_t end) {
    extent_.end = end;
    finished_ = true;
    return false;
  }

  [[nodiscard]] bool fits(const Event& event) const {
    const Step& step = steps_[matched_];
    if (step.name.empty()) return event.what == Event::What::element && event.index == step.index;
    return event.what == Event::What::field && event.known != nullptr && event.known->name == step.name;
  }

  std::vector<Step> steps_;
  Extent extent_;
  bool finished_ = false;
  bool lacking_ = false;     // the list on the path has no such element
  std::uint64_t struct_at_;  // innermost struct on the path
  std::size_t struct_depth_ = 0;
  std::size_t target_depth_ = 0;
  std::size_t matched_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Extent locate(View bytes, const StructType& type, std::string_view path) {
  Finder finder(steps_of(path), bytes.base);
  std::uint64_t end = bytes.base;
  static_cast<void>(walk(bytes, &type, finder, end));
  if (path.empty()) return {bytes.base, bytes.base, end, true};
  return finder.found(end);
}

}  // namespace parqproof::thrift
