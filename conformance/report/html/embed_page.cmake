# Writes OUTPUT: a C++ source with page.html of FOLDER. @STYLE@ and @SCRIPT@ are replaced by page.css and all of
# SCRIPTS, @STYLE_HASH@ and @SCRIPT_HASH@ by their hashes for a Content-Security-Policy. @DATA@ marks the place of the
# data.
cmake_minimum_required(VERSION 3.25)

# Sets `out` to the SHA-256 of a text in base64, as a policy requires; CMake has it only in hex.
function(hash_of text out)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 digits "${text}")
  set(base64 "")
  foreach(at RANGE 0 60 6)  # three bytes make four letters; two bytes are left at the end
    string(SUBSTRING "${digits}00" ${at} 6 three)
    math(EXPR number "0x${three}")
    foreach(shift 18 12 6 0)
      math(EXPR index "(${number} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${index} 1 letter)
      string(APPEND base64 ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64)
  set(${out} "sha256-${base64}=" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html html)
file(READ ${FOLDER}/page.css css)
set(js "")
string(REPLACE " " ";" scripts "${SCRIPTS}")
foreach(name IN LISTS scripts)
  file(READ ${FOLDER}/${name} text)
  string(APPEND js "${text}")
endforeach()
hash_of("${css}" style_hash)
hash_of("${js}" script_hash)
string(REPLACE "@STYLE_HASH@" "${style_hash}" html "${html}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" html "${html}")
string(REPLACE "@STYLE@" "${css}" html "${html}")
string(REPLACE "@SCRIPT@" "${js}" html "${html}")

string(FIND "${html}" "@DATA@" at)
string(SUBSTRING "${html}" 0 ${at} before)
math(EXPR at "${at} + 6")
string(SUBSTRING "${html}" ${at} -1 after)
file(WRITE "${OUTPUT}" "#include \"conformance/report/html/page.hpp\"

namespace parqproof {

HtmlPage html_page() noexcept {
  return {R\"~~~(${before})~~~\",
          R\"~~~(${after})~~~\"};
}

}  // namespace parqproof
")
