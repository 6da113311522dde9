// A check without conformance/diagnosis, as a program: the rooms up to conformance/file are complete without
// it. Prints a line for each file: its verdict, its broken rules of severity error, its path.
#include <fmt/ranges.h>

#include <cstdio>
#include <set>
#include <string>
#include <string_view>

#include "codec/base/source.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/verdict/report_of.hpp"

int main(int count, char** paths) {
  using namespace parqproof;
  const CheckOptions options;
  const Policy policy(options);
  const FileDoubts no_diagnosis;
  for (int i = 1; i < count; ++i) {
    std::string why;
    const auto source = FileSource::open(paths[i], why);
    if (source == nullptr) {
      std::fputs((std::string(paths[i]) + ": " + why + "\n").c_str(), stderr);
      return 2;
    }
    FileCheck check(*source, options, policy.wanted());
    judge_file(check, policy, no_diagnosis, nullptr);
    const FileReport report = report_of(check, policy, paths[i]);
    std::set<std::string_view> broken;
    for (const Cause& cause : report.causes) {
      if (cause.severity() == Severity::error) broken.insert(info(cause.rule()).id);
    }
    std::puts(fmt::format("{} {} {}", to_string(report.verdict), fmt::join(broken, ","), paths[i]).c_str());
  }
}
