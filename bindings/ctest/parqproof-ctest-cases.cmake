# Read by ctest when it starts, after the settings of parqproof_add_files(): a case for each file that is there, and one for
# those that this run makes. Another start of ctest meanwhile has a list of its own.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/parqproof-ctest-files.cmake)
find_files(files)

# Numbers of cases stay the same where they can, for `ctest --rerun-failed`.
set(former)
if(EXISTS "${base}.order")
  file(READ "${base}.order" former)
endif()
set(order)
foreach(file IN LISTS former)
  if(file IN_LIST files)
    list(APPEND order "${file}")
  endif()
endforeach()
list(REMOVE_ITEM files ${order})
list(APPEND order ${files})
file(WRITE "${base}.order" "${order}")

file(GLOB lists "${base}.listed.*")
list(LENGTH lists count)
if(count GREATER 20)  # starts that ran no test leave theirs
  file(REMOVE ${lists})
endif()
string(RANDOM LENGTH 12 start)
set(listed ${order})
if(EXISTS "${base}.failed")  # in the last run: `ctest --rerun-failed` checks them again
  file(READ "${base}.failed" failed)
  list(REMOVE_ITEM listed ${failed})
endif()
file(WRITE "${base}.listed.${start}" "${listed}")
add_test("${name}" "${cmake}" -D "settings=${base}.cmake" -D "listed=${base}.listed.${start}" -P "${CMAKE_CURRENT_LIST_DIR}/parqproof-ctest-new-files.cmake")
set_tests_properties("${name}" PROPERTIES LABELS "parqproof;${name}" DEPENDS "${after}" ${properties})

foreach(encoded IN LISTS order)
  decode_file("${encoded}" file)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${directory}" OUTPUT_VARIABLE short)
  add_test("${name}.${short}" "${program}" check ${options} -- "${file}")
  set_tests_properties("${name}.${short}" PROPERTIES LABELS "parqproof;${name}" DEPENDS "${after}" ${properties})
endforeach()
