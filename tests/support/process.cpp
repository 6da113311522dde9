#include "tests/support/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace support {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Outcome parqproof(const std::vector<std::string>& arguments, const std::string& input,
                  const std::map<std::string, std::string>& environment) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input);
  const std::string out = folder.path() + "/out";
  const std::string err = folder.path() + "/err";
  std::vector<char*> argv{const_cast<char*>(PARQPROOF_BINARY)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(in.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(PARQPROOF_BINARY, argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

void check_rejected(const Outcome& outcome, const std::string& words) {
  INFO(outcome.err);
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("parqproof: "));
  CHECK(outcome.err.contains(words));
}

void check_closed_pipe(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string err = folder.path() + "/err";
  const std::string code = folder.path() + "/code";
  const std::string command = "{ '" PARQPROOF_BINARY "' " + arguments + "; echo $? > '" + code + "'; } 2> '" +
                              err + "' | head -c 1 > /dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 0);
  CHECK(read_file(err) == "");
  CHECK(read_file(code) == "0\n");
}

TemporaryFolder::TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "parqproof-test-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  const std::filesystem::path path = std::filesystem::path(path_) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string source_file(const std::string& path) { return read_file(PARQPROOF_SOURCE_DIR "/" + path); }

}  // namespace support
