#include "conformance/rewrite/shrink/shrink.hpp"

#include <algorithm>
#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rewrite/broken_rules.hpp"
#include "conformance/rewrite/shrink/shrink_parts.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Delta debugging: of each kind of parts, halves, quarters and so on down to single parts are removed as
/// long as the finding remains.
class Reduction {
 public:
  Reduction(const ShrinkOptions& options, Bytes bytes, const RuleSet& allowed)
      : options_(options), bytes_(std::move(bytes)), allowed_(allowed) {}

  void run() {
    std::size_t size = 0;
    do {
      size = bytes_.size();
      if (has_model()) {
        for (const PartKind& kind : kPartKinds) reduce(kind);
      } else {
        reduce_bytes();
      }
    } while (bytes_.size() < size && !is_over());
  }

  [[nodiscard]] bool is_over() const {
    return checks_ >= options_.max_checks ||
           (options_.check.cancelled != nullptr && options_.check.cancelled->load());
  }
  [[nodiscard]] std::uint32_t checks() const noexcept { return checks_; }
  [[nodiscard]] Bytes take() noexcept { return std::move(bytes_); }

 private:
  [[nodiscard]] bool has_model() const {
    const MemorySource source(bytes_);
    return ShrinkFile::open(source, options_.check.limits) != nullptr;
  }

  /// Keeps a candidate that breaks the rule and is not larger: without a row, levels may take as many bytes.
  bool accept(Bytes candidate) {
    if (candidate.size() > bytes_.size() || is_over()) return false;
    ++checks_;
    const RuleSet rules = broken_rules(candidate, options_.check);
    if (!rules[static_cast<std::size_t>(options_.rule)] || (rules & ~allowed_).any()) return false;
    bytes_ = std::move(candidate);
    return true;
  }

  [[nodiscard]] std::size_t count(const PartKind& kind) const {
    const MemorySource source(bytes_);
    const auto file = ShrinkFile::open(source, options_.check.limits);
    return file == nullptr ? 0 : ((*file).*kind.count)();
  }

  bool remove(const PartKind& kind, std::size_t from, std::size_t count) {
    std::optional<Bytes> candidate;
    {
      const MemorySource source(bytes_);
      const auto file = ShrinkFile::open(source, options_.check.limits);
      if (file == nullptr || !((*file).*kind.remove)(from, count)) return false;
      candidate = emitted(file->model());
    }
    return candidate && accept(std::move(*candidate));
  }

  void reduce(const PartKind& kind) {
    std::size_t parts = count(kind);
    const std::size_t smallest = parts / kind.most_pieces;
    for (std::size_t size = parts; size != 0 && size >= smallest && !is_over(); size /= 2) {
      for (std::size_t from = 0; from < parts && !is_over();) {
        if (remove(kind, from, std::min(size, parts - from))) {
          parts = count(kind);
        } else {
          from += size;
        }
      }
    }
  }

  /// The same with the bytes of a file without a footer.
  void reduce_bytes() {
    for (std::size_t size = bytes_.size() / 2; size != 0 && !is_over(); size /= 2) {
      for (std::size_t from = 0; from < bytes_.size() && !is_over();) {
        Bytes candidate = bytes_;
        const auto begin = candidate.begin() + static_cast<std::ptrdiff_t>(from);
        candidate.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, candidate.size() - from)));
        if (!accept(std::move(candidate))) from += size;
      }
    }
  }

  const ShrinkOptions& options_;
  Bytes bytes_;
  RuleSet allowed_;
  std::uint32_t checks_ = 0;
};

std::optional<ReportedFinding> finding_of(const FileReport& report, Rule rule) {
  for (const Cause& cause : report.causes) {
    if (cause.rule() == rule) return cause.first.front();
  }
  return std::nullopt;
}

}  // namespace

std::expected<Shrunk, std::string> shrink(const Source& source, const ShrinkOptions& options) {
  if (source.size() > options.check.limits.memory_bytes / 8)
    return std::unexpected("it has more than an eighth of --max-memory");
  std::optional<Bytes> bytes = all_bytes(source);
  if (!bytes) return std::unexpected("it cannot be read");
  const RuleSet before = broken_rules(*bytes, options.check);
  if (!before[static_cast<std::size_t>(options.rule)])
    return std::unexpected("it does not break " + std::string(info(options.rule).id));
  Reduction reduction(options, std::move(*bytes), before);
  reduction.run();
  Shrunk shrunk;
  shrunk.checks = reduction.checks();
  shrunk.is_exhausted = reduction.is_over();
  shrunk.bytes = reduction.take();
  const MemorySource after(shrunk.bytes);
  shrunk.finding = finding_of(check(after, "file", options.check), options.rule);
  return shrunk;
}

}  // namespace parqproof
