# Lists of files in scripts of ctest. In a list of CMake a semicolon ends an element, and brackets hold it together, so these
# characters of names are replaced.
string(ASCII 31 next)
string(ASCII 30 semicolon)
string(ASCII 29 open)
string(ASCII 28 close)

# The files that match the patterns, as a list of encoded names.
function(find_files out)
  set(absolute)
  foreach(pattern IN LISTS patterns)
    cmake_path(ABSOLUTE_PATH pattern BASE_DIRECTORY "${folder}")
    list(APPEND absolute "${pattern}")
  endforeach()
  file(GLOB found LIST_DIRECTORIES false ${absolute})
  string(REPLACE "[" "${open}" found "${found}")
  string(REPLACE "]" "${close}" found "${found}")
  string(REGEX REPLACE ";(([A-Za-z]:)?/)" "${next}\\1" found "${found}")
  string(REPLACE ";" "${semicolon}" found "${found}")
  string(REPLACE "${next}" ";" found "${found}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# The name of an encoded one.
function(decode_file file out)
  string(REPLACE "${open}" "[" file "${file}")
  string(REPLACE "${close}" "]" file "${file}")
  string(REPLACE "${semicolon}" ";" file "${file}")
  set(${out} "${file}" PARENT_SCOPE)
endfunction()
