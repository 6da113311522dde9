#include "conformance/diagnosis/transfer/restoring_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

/// Prints the bytes of a stretch of a file of `size` bytes, and zeros for what is missing after it.
std::string command_for(const Stretch& stretch, std::uint64_t size, const std::string& file) {
  const std::string tail = "tail -c +" + std::to_string(stretch.begin + 1) + " " + file;
  std::string command = tail;
  if (stretch.begin == stretch.end)
    command.clear();
  else if (stretch.begin == 0)
    command = "head -c " + std::to_string(stretch.end) + " " + file;
  else if (stretch.end != size)
    command = tail + " | head -c " + std::to_string(stretch.end - stretch.begin);
  if (stretch.missing != 0) {
    command += (command.empty() ? "" : "; ");
    command += "head -c " + std::to_string(stretch.missing) + " /dev/zero";
  }
  return command;
}

/// The same file with zeros for some of its bytes.
std::vector<Stretch> without(const std::vector<Stretch>& all, std::vector<ByteRange> blank) {
  std::ranges::sort(blank, {}, &ByteRange::begin);
  std::vector<Stretch> out;
  const auto add_zeros = [&](std::uint64_t count) {
    if (count == 0) return;
    if (out.empty()) out.push_back({});
    out.back().missing += count;
  };
  std::uint64_t start = 0;  // of the stretch, in the file as it was
  for (const Stretch& one : all) {
    const std::uint64_t length = one.end - one.begin;
    std::uint64_t done = 0;
    for (const ByteRange& zeros : blank) {
      const std::uint64_t begin = std::clamp(zeros.begin, start + done, start + length) - start;
      const std::uint64_t end = std::clamp(zeros.end, start + done, start + length) - start;
      if (begin == end) continue;
      if (begin != done) out.push_back({one.begin + done, one.begin + begin, 0});
      add_zeros(end - begin);
      done = end;
    }
    if (done != length) out.push_back({one.begin + done, one.end, 0});
    add_zeros(one.missing);
    start += length + one.missing;
  }
  return out;
}

/// Number of stretches from this one on that have one length and begin at one distance.
std::size_t regular_stretches(std::span<const Stretch> all) {
  std::size_t count = 1;
  while (count < all.size() && all[count].end - all[count].begin == all[0].end - all[0].begin &&
         all[count].begin - all[count - 1].begin == all[1].begin - all[0].begin &&
         all[count].begin > all[count - 1].begin && all[count - 1].missing == 0 && all[count].missing == 0) {
    ++count;
  }
  return count;
}

/// Prints `count` such stretches: the first bytes of each record.
std::string command_for(std::span<const Stretch> all, std::size_t count, const std::string& file) {
  const std::uint64_t step = all[1].begin - all[0].begin;
  return "tail -c +" + std::to_string(all[0].begin + 1) + " " + file + " | head -c " +
         std::to_string((count - 1) * step + (all[0].end - all[0].begin)) + " | perl -ne 'BEGIN { $/ = \\" +
         std::to_string(step) + " } print substr $_, 0, " + std::to_string(all[0].end - all[0].begin) + "'";
}

}  // namespace

std::vector<NextStep> restoring_steps(const FileReport& report, const RestoredSource& restored,
                                      std::vector<ByteRange> gone, const std::vector<ByteRange>& headers) {
  gone.insert(gone.end(), headers.begin(), headers.end());
  const std::vector<Stretch> stretches = without(restored.stretches(), std::move(gone));
  const bool in_place =
      stretches.size() == 1 && stretches.front().begin == 0 && stretches.front().end == report.size;
  if (report.path.empty() || report.path == "-" || in_place) return {};
  const std::optional<std::string> file = shell_word(report.path);
  const std::optional<std::string> copy = name_of_copy(report.path);
  if (!file || !copy) return {};
  std::string command;
  if (stretches.empty()) {
    command = report.footer_at && report.footer_at != report.size
                  ? "head -c " + std::to_string(*report.footer_at) + " " + *file + " | " + restored.filter()
                  : restored.filter() + " " + *file;
  }
  constexpr std::size_t kMany = 4;
  std::size_t commands = 0;
  for (std::size_t i = 0; i < stretches.size(); ++commands) {
    if (i > 0) command += "; ";
    const std::span<const Stretch> rest = std::span(stretches).subspan(i);
    const std::size_t count = regular_stretches(rest);
    command += count >= kMany ? command_for(rest, count, *file)
                              : command_for(rest.front(), report.size.value_or(0), *file);
    i += count >= kMany ? count : 1;
  }
  if (stretches.size() > 1) command = "{ " + command + "; }";
  command += " > " + *copy;
  if (command.size() > kLongestCommand + commands * file->size() + copy->size()) return {};
  const bool has_damage = std::ranges::any_of(report.lost, &Lost::is_of_data);
  const bool has_zeros = std::ranges::any_of(stretches, &Stretch::missing);
  return {{has_zeros ? "a realigned copy, with zeros for what is missing or not intact"
                     : "a copy of the file as it was",
           std::move(command)},
          {has_damage ? "the intact rows of the copy" : "the rows of the copy",
           std::string("parqproof cat ") + (has_damage ? "--skip-damaged " : "") + *copy}};
}

}  // namespace parqproof
