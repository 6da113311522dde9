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

/// Follows the path while the walk goes by. Containers that the path does not enter are counted through by their depth.
class Finder final : public Visitor {
 public:
  Finder(std::vector<Step> steps, std::uint64_t begin) : steps_(std::move(steps)) { structs_.push_back(begin); }

  [[nodiscard]] bool event(const Event& event) override {
    const bool ends = event.what == Event::What::end_struct || event.what == Event::What::end_list;
    if (ends) {
      if (target_open_ && depth_ == target_depth_) {
        extent.end = event.what == Event::What::end_struct ? event.at + 1 : event.at;
        return false;
      }
      if (depth_ == matched_ && !target_open_) {  // the container that the path entered ends without the next step
        lacking_ = structs_.back();
        lacking_end_ = event.what == Event::What::end_struct ? event.at + 1 : event.at;
        return false;
      }
      --depth_;
      return true;
    }
    const bool container = event.wire == Wire::struct_ || event.wire == Wire::list || event.wire == Wire::set ||
                           event.wire == Wire::map;
    if (!target_open_ && depth_ == matched_ && matched_ < steps_.size() && fits(event)) {
      if (matched_ + 1 == steps_.size()) {
        extent.present = true;
        extent.header = event.header;
        extent.value = event.at;
        if (container) {
          target_open_ = true;
          target_depth_ = depth_ + 1;
        } else {
          extent.end = event.end;
          return false;
        }
      } else if (container) {
        ++matched_;
        if (event.wire == Wire::struct_) structs_.push_back(event.at);
      }
    }
    if (container) ++depth_;
    return true;
  }

  Extent extent;
  [[nodiscard]] std::uint64_t lacking() const { return lacking_; }
  [[nodiscard]] std::uint64_t lacking_end() const { return lacking_end_; }
  [[nodiscard]] std::uint64_t innermost() const { return structs_.back(); }

 private:
  [[nodiscard]] bool fits(const Event& event) const {
    const Step& step = steps_[matched_];
    if (step.name.empty()) return event.what == Event::What::element && event.index == step.index;
    return event.what == Event::What::field && event.known != nullptr && event.known->name == step.name;
  }

  std::vector<Step> steps_;
  std::vector<std::uint64_t> structs_;  // first bytes of the structs that the path has entered
  std::size_t matched_ = 0;
  std::size_t depth_ = 0;
  std::size_t target_depth_ = 0;
  bool target_open_ = false;
  std::uint64_t lacking_ = 0;
  std::uint64_t lacking_end_ = 0;
};

}  // namespace

Extent locate(View bytes, const StructType& type, std::string_view path) {
  Finder finder(steps_of(path), bytes.base);
  std::uint64_t end = bytes.base;
  const WalkEnd how = walk(bytes, &type, finder, end);
  if (path.empty()) return {bytes.base, bytes.base, end, true};
  if (finder.extent.present) {
    if (finder.extent.end == 0) finder.extent.end = end;
    return finder.extent;
  }
  const bool lacking = how == WalkEnd::stopped;
  const std::uint64_t at = lacking ? finder.lacking() : finder.innermost();
  return {at, at, lacking ? finder.lacking_end() : end, false};
}

}  // namespace parqproof::thrift
