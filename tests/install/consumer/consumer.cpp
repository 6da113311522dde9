// Prints the columns of a file, then its findings.
#include <iostream>

#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "conformance/report/bytes/layout.hpp"

int main(int, char** argv) {
  std::string why;
  const auto file = parqproof::FileSource::open(argv[1], why);
  if (file == nullptr) return std::cerr << why << '\n', 2;
  const parqproof::Layout layout = parqproof::read_layout(*file);
  const parqproof::Schema& schema = layout.schema;
  for (std::size_t i = 0; i < schema.leaf_count(); ++i)
    std::cout << schema.dotted_path(schema.leaf_index(i)) << '\n';
  for (const auto& [finding, severity, column, known, klass, bugs, excerpt] :
       parqproof::check(*file, argv[1], {}).findings)
    std::cout << parqproof::info(finding.rule).id << " at " << finding.offset << " in " << column << '\n';
}
