#include "conformance/report/bytes/finding_bytes.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

namespace parqproof {
namespace {

/// Bytes shown of a long run before those at fault.
constexpr std::uint64_t kLead = 8;
/// Max size in bytes of a page image that is decompressed for the sake of a few bytes.
constexpr std::int32_t kMaxImageBytes = 64 << 20;

/// A finding, and the destination of its bytes.
struct Wanted {
  const Finding* finding;
  FindingBytes* bytes;

  [[nodiscard]] std::uint64_t offset() const noexcept { return finding->offset; }
  [[nodiscard]] std::uint64_t end() const noexcept {
    return finding->offset + std::max<std::uint64_t>(finding->length, 1);
  }
  [[nodiscard]] bool touches(const Run& run) const noexcept {
    return run.length != 0 && offset() < run.offset + run.length && run.offset < end();
  }
};

/// Receives the runs of one segment, and keeps for each finding those at fault and their neighbours.
class RunChoice {
 public:
  /// All findings are in one segment, in order of their offsets.
  RunChoice(std::vector<Wanted> wanted, const ShownExtent& extent)
      : wanted_(std::move(wanted)), extent_(extent) {}

  /// False if no finding needs a further run.
  bool take(const Run& run) {
    std::erase_if(open_, [&](Open& open) { return !add(open, run); });
    for (; next_ < wanted_.size() && wanted_[next_].offset() < run.offset + run.length; ++next_) {
      if (!wanted_[next_].touches(run)) continue;
      for (const Run& before : before_) wanted_[next_].bytes->runs.push_back({before, before.offset, {}});
      Open open{wanted_[next_]};
      if (add(open, run)) open_.push_back(open);
    }
    before_.push_back(run);
    if (before_.size() > extent_.around) before_.pop_front();
    return next_ < wanted_.size() || !open_.empty();
  }

  /// Reads the bytes of the kept runs with `read(offset, count)`.
  template <typename Read>
  void fill(Read&& read) const {
    for (const Wanted& wanted : wanted_) {
      for (ShownRun& shown : wanted.bytes->runs) {
        const Run& run = shown.run;
        shown.from = run.offset;
        if (run.length > extent_.bytes && wanted.touches(run) && wanted.offset() > run.offset + kLead)
          shown.from = std::min(wanted.offset() - kLead, run.offset + run.length - extent_.bytes);
        const std::uint64_t left = run.offset + run.length - shown.from;
        const View bytes = read(shown.from, std::min(left, extent_.bytes));
        shown.bytes.assign(bytes.bytes.begin(), bytes.bytes.end());
      }
    }
  }

 private:
  struct Open {
    Wanted wanted;
    std::size_t at_fault = 0;
    std::size_t after = 0;
  };

  /// Adds a run to those of a finding; false if that was the last one.
  bool add(Open& open, const Run& run) const {
    const bool at_fault = open.wanted.touches(run);
    if (at_fault && open.at_fault == extent_.at_fault) return false;
    open.wanted.bytes->runs.push_back({run, run.offset, {}});
    if (at_fault) {
      ++open.at_fault;
      return true;
    }
    return run.length == 0 || ++open.after < extent_.around;
  }

  std::vector<Wanted> wanted_;
  const ShownExtent& extent_;
  std::size_t next_ = 0;    // first of wanted_ whose bytes have not been reached
  std::vector<Open> open_;  // findings whose bytes have been reached, and that need later runs
  std::deque<Run> before_;  // the last runs
};

/// The bytes that the offset of a finding counts in.
enum class Bytes : std::uint8_t { stored, decrypted, image };

class Reading {
 public:
  Reading(const Source& source, const Layout& layout, const ShownExtent& extent)
      : layout_(layout), extent_(extent), annotator_(source, layout), window_(source) {}

  /// All findings are in one segment.
  void segment(const Segment& segment, std::vector<Wanted> wanted) {
    RunChoice choice(std::move(wanted), extent_);
    annotator_.annotate(segment, [&](const Run& run) { return choice.take(run); });
    choice.fill([&](std::uint64_t offset, std::uint64_t count) { return window_.view(offset, count); });
  }

  /// All findings are in one segment that was decrypted; without a key, they are shown in its stored bytes.
  void module(const Segment& segment, std::vector<Wanted> wanted) {
    std::string why;
    const View bytes = annotator_.open_module(segment, why);
    if (bytes.empty()) return this->segment(segment, std::move(wanted));
    RunChoice choice(std::move(wanted), extent_);
    annotator_.annotate_module(segment, [&](const Run& run) { return choice.take(run); });
    choice.fill([&](std::uint64_t offset, std::uint64_t count) {
      const std::uint64_t at = offset - bytes.base;
      return at <= bytes.size() && count <= bytes.size() - at
                 ? bytes.part(static_cast<std::size_t>(at), static_cast<std::size_t>(count))
                 : View{};
    });
  }

  /// All findings are in the image of one compressed page.
  void image(const Segment& body, std::vector<Wanted> wanted) {
    const Segment& header = *(&body - 1);
    if (header.header_fields.uncompressed > kMaxImageBytes) return;
    std::string why;
    const std::span<const std::uint8_t> image = annotator_.open_image(body, why);
    for (const Wanted& one : wanted) one.bytes->image = image.size();
    RunChoice choice(std::move(wanted), extent_);
    annotator_.annotate_image([&](const Run& run) { return choice.take(run); });
    choice.fill([&](std::uint64_t offset, std::uint64_t count) {
      return offset + count <= image.size() ? View{image.subspan(offset, count)} : View{};
    });
  }

  /// The segment that contains a byte; null after the end of the file.
  [[nodiscard]] const Segment* at(std::uint64_t offset) const {
    const auto after = std::ranges::upper_bound(layout_.segments, offset, {}, &Segment::offset);
    if (after == layout_.segments.begin() || std::prev(after)->end() <= offset) return nullptr;
    return &*std::prev(after);
  }

  /// The body of the page whose header is at an offset.
  [[nodiscard]] const Segment* body_of(std::uint64_t header) const {
    const Segment* const first = at(header);
    if (first == nullptr || first->kind != SegmentKind::page_header || first->offset != header ||
        first == &layout_.segments.back()) {
      return nullptr;
    }
    const Segment* const body = first + 1;
    return body->kind == SegmentKind::page_body && body->page_header == header ? body : nullptr;
  }

 private:
  const Layout& layout_;
  const ShownExtent& extent_;
  Annotator annotator_;
  Window window_;
};

}  // namespace

std::vector<FindingBytes> read_finding_bytes(const Source& source, const Layout& layout,
                                             const std::vector<const Finding*>& findings,
                                             const ShownExtent& extent) {
  std::vector<FindingBytes> all(findings.size());
  Reading reading(source, layout, extent);
  std::vector<std::tuple<const Segment*, Bytes, Wanted>> places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = *findings[i];
    const Bytes bytes = finding.space == Space::page     ? Bytes::image
                        : finding.space == Space::module ? Bytes::decrypted
                                                         : Bytes::stored;
    const Segment* const segment =
        bytes == Bytes::image ? reading.body_of(finding.page_offset) : reading.at(finding.offset);
    if (segment == nullptr) continue;
    all[i].segment = *segment;
    places.emplace_back(segment, bytes, Wanted{&finding, &all[i]});
  }
  const auto key = [](const auto& place) {
    const auto& [segment, bytes, wanted] = place;
    return std::tuple(segment->offset, bytes, wanted.offset());
  };
  std::ranges::stable_sort(places, {}, key);
  for (auto at = places.begin(); at != places.end();) {
    const auto [segment, bytes, first] = *at;
    std::vector<Wanted> wanted;
    for (; at != places.end() && std::get<0>(*at) == segment && std::get<1>(*at) == bytes; ++at)
      wanted.push_back(std::get<2>(*at));
    if (bytes == Bytes::image) {
      reading.image(*segment, std::move(wanted));
    } else if (bytes == Bytes::decrypted) {
      reading.module(*segment, std::move(wanted));
    } else {
      reading.segment(*segment, std::move(wanted));
    }
  }
  return all;
}

}  // namespace parqproof
