"""Our linters find exactly the planted violations in a tree of a few files."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import ROOT


def lint(name, files, *options):
    """The exit code and the output lines of a linter for a tree of only these files."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copytree(ROOT / "scripts/lint", root / "scripts/lint")
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        done = subprocess.run([root / "scripts/lint" / name, *options], stdout=subprocess.PIPE, text=True)
        lines = done.stdout.splitlines()
        assert done.returncode == (1 if lines and not options else 0), done
        return lines


def members(count):
    return "".join(f"  int m{i}_ = 0;\n" for i in range(count))


class Shape(unittest.TestCase):
    def found(self, text, path="codec/file/a.cpp"):
        return [line.split(" ")[0] for line in lint("shape", {path: text})]

    def test_files(self):
        self.assertEqual(self.found("//\n" * 500), [])
        self.assertEqual(self.found("//\n" * 501), ["codec/file/a.cpp:501:"])

    def test_functions(self):
        for head in ("void f() {", "A::A(int a) : a_{a}, b_(a) {", "template <class T>\nauto f(T t) -> std::vector<T> {",
                     "const auto f = [](int a) {", "struct A {\n bool operator()(int) const noexcept {"):
            before = head.count("\n")
            tail = "}\n};\n" if head.startswith("struct") else "};\n" if "[]" in head else "}\n"
            body = "  g('{', \"}\", R\"({{)\", 1'000);  // }\n"
            with self.subTest(head=head):
                self.assertEqual(self.found(head + "\n" + body * 78 + tail), [])
                self.assertEqual(self.found(head + "\n" + body * 79 + tail), [f"codec/file/a.cpp:{1 + before}:"])

    def test_a_switch_over_an_enumeration_may_be_long(self):
        def switch(label, more=""):
            cases = "".join(f"    case {label}{i}:\n      return {i};\n" for i in range(50))
            return f"int f(E e) {{\n  switch (e) {{\n{cases}  }}\n  return 0;\n{more}}}\n"
        self.assertEqual(self.found(switch("E::a")), [])
        self.assertEqual(len(self.found(switch("1"))), 1)
        self.assertEqual(len(self.found(switch("E::a", "  g();\n  h();\n"))), 1)

    def test_classes(self):
        other = "  static int s;\n  static constexpr int k = 1;\n  using T = int;\n  void f(int a);\n  T g() { return {}; }\n"
        other += "  A& operator=(const A&) = default;\n  std::function<void(int, int)> h;\n  enum class E { a, b };\n"
        self.assertEqual(self.found(f"class A {{\n{members(24)}{other}}};\n"), [])
        self.assertEqual(self.found(f"class A {{\n{members(25)}{other}}};\n"), ["codec/file/a.cpp:1:"])
        self.assertEqual(self.found("struct A {\n  int a, b[2], *c;\n" + members(23) + "};\n"), ["codec/file/a.cpp:1:"])

    def test_nested_parts_count_with_their_class(self):
        inside = f"struct A {{\n  struct Part {{\n{members(20)}  }};\n{members(6)}}};\n"
        outside = f"struct A {{\n  struct Part;\n{members(6)}}};\nstruct A::Part {{\n{members(20)}}};\n"
        for text in (inside, outside):
            self.assertEqual(self.found(text), ["codec/file/a.cpp:1:"])
        self.assertEqual(self.found(inside.replace(members(6), members(5))), [])
        self.assertEqual(self.found(inside, "codec/format/a.hpp"), [])

    def test_a_folder_with_more_than_30_files_is_reported(self):
        files = {f"codec/file/f{number}.hpp": "struct A;\n" for number in range(30)}
        self.assertEqual(lint("shape", files), [])
        self.assertEqual(lint("shape", files | {"codec/file/one_more.hpp": "struct A;\n"}),
                         ["codec/file: the folder has 31 files, 30 are allowed"])

    def test_table(self):
        table = lint("shape", {"codec/file/a.cpp": "void f() {\n}\n", "conformance/check/b.hpp": "struct B { int b; };\n"}, "--table")
        self.assertEqual(table[2], "| codec/file | 1 | 2 | 2 file/a.cpp | 2 f |  |  |")
        self.assertEqual(table[-1], "| conformance/ in all | 1 | 1 | 1 check/b.hpp |  | 1 B | 1 B |")


class Once(unittest.TestCase):
    def found(self, one, other):
        return len(lint("once", {"codec/file/a.hpp": one, "conformance/rows/b.cpp": other}))

    def test_types(self):
        for one in ("struct A { int a; };", "class A final : B {};", "enum class A { a };", "template <class T> class A {};"):
            self.assertEqual(self.found(f"namespace n {{ {one} }}", "namespace n { struct A { char b; }; }"), 2, one)

    def test_functions(self):
        one = "namespace n { inline int f(int a) { return a; } }"
        self.assertEqual(self.found(one, "namespace n { constexpr int f(int a) { return -a; } }"), 2)
        self.assertEqual(self.found(one, "namespace n { constexpr int f(char a) { return -a; } }"), 0)

    def test_declarations_are_no_second_definition(self):
        one = "namespace n { struct A { int a; }; }"
        for other in ("namespace n { struct A; class B; }", "namespace m { struct A {}; }", "void f() { struct A {}; }",
                      "namespace n { namespace { struct A {}; } }", "namespace n { struct B { struct A {}; }; }"):
            self.assertEqual(self.found(one, other), 0, other)


class Layers(unittest.TestCase):
    def found(self, path, text):
        """Complaints about the file; entries of the allow lists without a file are complaints too."""
        return [line for line in lint("layers", {path: text}) if line.startswith(path)]

    def test_includes(self):
        self.assertEqual(self.found("codec/file/a.cpp", '#include "codec/base/b.hpp"\n'), [])
        self.assertEqual(len(self.found("codec/base/a.cpp", '#include "codec/file/b.hpp"\n')), 1)
        self.assertEqual(len(self.found("codec/base/a.hpp", "#include <zlib.h>\n")), 2)
        self.assertEqual(self.found("bindings/c/a.cpp", '#include "conformance/check/b.hpp"\n#include "bindings/c/b.hpp"\n'), [])
        for path in ("conformance/cli/a.cpp", "fuzz/a.cpp", "tests/check/a.cpp"):
            self.assertEqual(len(self.found(path, '#include "bindings/c/b.hpp"\n')), 1)

    def test_duplicate_definitions_are_reported(self):
        for home, text, times in [
            ("codec/page/page_walk.cpp", "x = reader_.read_header(\n at, end);", 1),
            ("codec/page/page_reader.hpp", "struct Page {\n  PageHeader header;\n};", 1),
            ("conformance/diagnosis/remains.cpp", "if (!read(offset, std::min(a, b), page.header)) return;", 1),
            ("codec/page/page_content.cpp", "r = scratch->decompressor.expand(codec);", 1),
            ("codec/compression/table.cpp", "#include <zstd.h>", 1),
            ("codec/page/checksum.cpp", "#include <libdeflate.h>\nint i = crc32(bytes);", 2),
        ]:
            with self.subTest(home=home):
                self.assertEqual(self.found(home, text), [])
                self.assertEqual(len(self.found("conformance/rows/chunk_pages.cpp", text)), times)
        self.assertEqual(len(self.found("codec/file/index_tree_lookup.cpp", '#include "codec/page/checksum.hpp"\n')), 1)
        self.assertEqual(self.found("conformance/rows/a.cpp", "// reader.read_header(at), crc32(bytes)\nf(\"crc32(\");\n"), [])

    def test_an_unneeded_entry_of_a_list_is_reported(self):
        unneeded = [line for line in lint("layers", {"codec/page/checksum.cpp": "int i = crc32(bytes);"}) if "computes a CRC" in line]
        homes = ("codec/model/page_image", "codec/page/page_content", "codec/write/page_buffer", "conformance/file_type/file_fields",
                 "conformance/footer/proposals")
        self.assertEqual(len(unneeded), len(homes))
        for home, line in zip(homes, sorted(unneeded)):
            self.assertIn(home, line)
