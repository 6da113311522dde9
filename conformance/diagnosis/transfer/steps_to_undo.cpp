#include "conformance/diagnosis/transfer/steps_to_undo.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

/// Prints the bytes of a stretch of a file of `size` bytes, and zeros for what is missing after it.
std::string command_for(const RestoredSource::Stretch& stretch, std::uint64_t size, const std::string& file) {
  const std::string tail = "tail -c +" + std::to_string(stretch.begin + 1) + " " + file;
  std::string command = tail;
  if (stretch.begin == 0)
    command = "head -c " + std::to_string(stretch.end) + " " + file;
  else if (stretch.end != size)
    command = tail + " | head -c " + std::to_string(stretch.end - stretch.begin);
  if (stretch.missing != 0) command += "; head -c " + std::to_string(stretch.missing) + " /dev/zero";
  return command;
}

}  // namespace

std::vector<NextStep> steps_to_undo(const FileReport& report, const RestoredSource& undone) {
  const std::vector<RestoredSource::Stretch> stretches = undone.stretches();
  const bool in_place =
      stretches.size() == 1 && stretches.front().begin == 0 && stretches.front().end == report.size;
  if (report.path.empty() || report.path == "-" || in_place) return {};
  const std::optional<std::string> file = shell_word(report.path);
  const std::optional<std::string> copy = name_of_copy(report.path);
  if (!file || !copy) return {};
  std::string command;
  if (stretches.empty()) command = undone.filter() + " " + *file;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (i > 0) command += "; ";
    command += command_for(stretches[i], report.size.value_or(0), *file);
  }
  if (stretches.size() > 1) command = "{ " + command + "; }";
  command += " > " + *copy;
  if (command.size() > kLongestCommand + stretches.size() * file->size() + copy->size()) return {};
  const bool has_damage = std::ranges::any_of(report.lost, is_of_data);
  const bool has_zeros = std::ranges::any_of(stretches, &RestoredSource::Stretch::missing);
  return {{has_zeros ? "a copy of the file as it was, with zeros for the missing bytes"
                     : "a copy of the file as it was",
           std::move(command)},
          {has_damage ? "the intact rows of the copy" : "the rows of the copy",
           std::string("parqproof cat ") + (has_damage ? "--skip-damaged " : "") + *copy}};
}

}  // namespace parqproof
