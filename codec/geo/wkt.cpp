#include "codec/geo/wkt.hpp"

#include <cctype>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/geo/wkb.hpp"

namespace parqproof::geo {
namespace {

constexpr std::uint32_t kMostDepth = 1000;

/// Notes if there is a violation after which the value has no text.
class Obstacles final : public Faults {
 public:
  [[nodiscard]] bool count(Rule rule) override {
    const bool has_text =
        rule == Rule::wkb_ring_closed || rule == Rule::wkb_ring_points || rule == Rule::wkb_line_points;
    is_clear = is_clear && has_text;
    return false;
  }
  void describe(Fault) override {}

  bool is_clear = true;
};

class TextWriter final : public Visitor {
 public:
  explicit TextWriter(std::string& out) : out_(out) {}

  void begin(TypeCode type, std::uint32_t count, bool is_member) override {
    separate();
    if (!is_member) {
      for (const char letter : name_of(type.shape))
        out_ += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      out_ += ' ';
      if (type.has_z || type.has_m) out_ += type.has_z ? type.has_m ? "ZM " : "Z " : "M ";
    }
    open(count);
  }
  void ring(std::uint32_t count) override {
    separate();
    open(count);
    in_ring_ = true;
  }
  void points(const PointRun& run) override {
    for (std::size_t point = 0; point < run.count; ++point) {
      if (point != 0) out_ += ", ";
      for (unsigned axis = 0; axis < run.axes; ++axis) {
        if (axis != 0) out_ += ' ';
        out_ += shortest(run.at(point, axis));
      }
    }
    if (in_ring_) end();
    in_ring_ = false;
  }
  void end() override {
    if (levels_.back().is_open) out_ += ')';
    levels_.pop_back();
  }

 private:
  struct Level {
    bool is_open = false;  // it is not empty
    bool has_part = false;
  };

  void separate() {
    if (levels_.empty()) return;
    if (levels_.back().has_part) out_ += ", ";
    levels_.back().has_part = true;
  }
  void open(std::uint32_t count) {
    out_ += count == 0 ? "EMPTY" : "(";
    levels_.push_back({count != 0, false});
  }

  std::string& out_;
  std::vector<Level> levels_;
  bool in_ring_ = false;
};

}  // namespace

bool append_wkt(std::string& out, std::span<const std::uint8_t> wkb) {
  const std::size_t before = out.size();
  Obstacles obstacles;
  TextWriter text(out);
  Walker walker(kMostDepth);
  if (walker.walk({wkb}, obstacles, &text) && obstacles.is_clear) return true;
  out.resize(before);
  return false;
}

}  // namespace parqproof::geo
