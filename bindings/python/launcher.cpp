/// The program `parqproof` of the wheel: calls the program in the library of the module, so that the wheel
/// has the code once. The wheel puts the two into the folders `scripts` and `platlib` of any Python, so it
/// searches for the library.
#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <climits>
#include <cstdlib>
#endif

namespace {

using Text = std::array<char, 4096>;

/// The folder of this program, without links; false if it is not known.
bool find_folder(Text& folder) {
#ifdef __APPLE__
  Text linked{};
  std::uint32_t room = linked.size();
  static_assert(std::tuple_size_v<Text> >= PATH_MAX);
  if (_NSGetExecutablePath(linked.data(), &room) != 0 || ::realpath(linked.data(), folder.data()) == nullptr)
    return false;
#else
  const ::ssize_t size = ::readlink("/proc/self/exe", folder.data(), folder.size());
  if (size <= 0 || static_cast<std::size_t>(size) >= folder.size()) return false;
  folder[static_cast<std::size_t>(size)] = 0;
#endif
  char* const end = std::strrchr(folder.data(), '/');
  if (end == nullptr) return false;
  *end = 0;
  return true;
}

using Main = int (*)(int argc, char** argv);

/// The program in a library of this version, or null.
Main main_of(const char* path) {
  void* const library = ::dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto version = reinterpret_cast<const char* (*)()>(::dlsym(library, "parqproof_version"));
  if (version == nullptr || std::strcmp(version(), PARQPROOF_VERSION) != 0) return nullptr;
  return reinterpret_cast<Main>(::dlsym(library, "parqproof_main"));
}

/// The program in the first library that the pattern finds below the folder `above` this program, or null.
Main find_main(const Text& folder, const char* pattern) {
  Text path{};
  const int length = std::snprintf(path.data(), path.size(), "%s/../%s/parqproof/native/%s", folder.data(),
                                   pattern, PARQPROOF_LIBRARY);
  if (length < 0 || static_cast<std::size_t>(length) >= path.size()) return nullptr;
  ::glob_t found{};
  Main called = nullptr;
  if (::glob(path.data(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc && called == nullptr; ++i) called = main_of(found.gl_pathv[i]);
  }
  ::globfree(&found);
  return called;
}

}  // namespace

int main(int argc, char** argv) {
  Text folder{};
  Main called = nullptr;
  if (find_folder(folder)) {
    // Of an environment, a prefix or a distribution; and of `pip install --target`.
    called = find_main(folder, "lib*/py*/*-packages");
    if (called == nullptr) called = find_main(folder, ".");
  }
  if (called == nullptr) {
    std::fputs(
        "parqproof: the library of this version is not where Python installs it; try: python3 -m parqproof\n",
        stderr);
    return 2;
  }
  return called(argc, argv);
}
