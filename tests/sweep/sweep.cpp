#include "tests/sweep/sweep.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tests/support/judged.hpp"

namespace support {

using namespace parqproof;

const std::vector<SmallFile>& small_files() {
  static const std::vector<SmallFile> files = [] {
    constexpr std::size_t kLargest = 1024;
    std::vector<SmallFile> found;
    for (const std::string& path : files_below("corpus", ".parquet")) {
      std::vector<std::uint8_t> bytes = read_bytes(PARQPROOF_SOURCE_DIR "/" + path);
      if (bytes.size() <= kLargest) found.push_back({path, std::move(bytes)});
    }
    return found;
  }();
  return files;
}

Sample::Sample(std::uint64_t usual) : every_(usual) {
  if (const char* text = std::getenv("PARQPROOF_SWEEP_EVERY"))
    every_ = std::max<std::uint64_t>(std::strtoull(text, nullptr, 10), 1);
  std::cout << "every " << every_ << ". case (PARQPROOF_SWEEP_EVERY)\n";
}

bool Sample::takes(const std::string& path, std::uint64_t number) const {
  return fixed_hash(path, number) % every_ == 0;
}

std::uint64_t fixed_hash(const std::string& text, std::uint64_t number) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a over the text, then the finalizer of splitmix64
  for (const char letter : text) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100000001b3;
  hash += number * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

void with_change(std::vector<std::uint8_t>& bytes, std::uint64_t number, const std::function<void()>& look) {
  std::uint8_t& byte = bytes[number / kChangesOfAByte];
  const std::uint8_t before = byte;
  const std::uint64_t which = number % kChangesOfAByte;
  const std::uint8_t after = which < 8    ? static_cast<std::uint8_t>(before ^ (1U << which))
                             : which == 8 ? 0x00
                                          : 0xff;
  if (after == before) return;
  byte = after;
  look();
  byte = before;
}

std::string contradiction(const FileReport& report, std::uint64_t size) {
  const auto has = [&](Severity severity, Class klass) {
    return std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
      return one.severity == severity && info(one.finding.rule).klass == klass;
    });
  };
  if (report.verdict == Verdict::unreadable) return "bytes in memory are not unreadable";
  if (report.truncated) return {};  // what decides the verdict may not be listed
  const bool malformed = has(Severity::error, Class::malformed);
  const bool invalid = has(Severity::error, Class::invalid);
  const bool limit = has(Severity::warning, Class::limit);
  const bool unsupported = has(Severity::warning, Class::unsupported);
  const Verdict least = malformed     ? Verdict::malformed
                        : invalid     ? Verdict::nonconforming
                        : limit       ? Verdict::limit
                        : unsupported ? Verdict::unsupported
                                      : Verdict::conforming;
  if (report.verdict != least) {
    return std::string("the verdict is ") + to_string(report.verdict) + ", the findings say " +
           to_string(least);
  }
  if (!report.lost.empty() && least < Verdict::nonconforming && !limit)
    return "something is lost, and no error says why";
  std::uint64_t position = 0;
  for (const ReportedFinding& one : report.findings) {
    const Finding& finding = one.finding;
    const std::string rule(info(finding.rule).id);
    const std::uint64_t at = finding.file_position();
    if (at > size || (finding.space == Space::file && finding.length > size - at))
      return rule + " lies outside of the file";
    if (at < position) return rule + " is out of order";
    if (finding.times == 0) return rule + " is there zero times";
    position = at;
  }
  return {};
}

}  // namespace support
