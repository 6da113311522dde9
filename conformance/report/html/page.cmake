# Builds the page of the HTML report into the library: page.html with page.css and the scripts in it.
set(html_dir ${CMAKE_CURRENT_LIST_DIR})
# One script, in this order.
set(html_scripts tools.js overview.js findings.js damage.js byte_map.js grid.js file.js page.js)
list(JOIN html_scripts " " html_script_words)
list(TRANSFORM html_scripts PREPEND ${html_dir}/)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/html_page.cpp
  COMMAND ${CMAKE_COMMAND} -D FOLDER=${html_dir} -D "SCRIPTS=${html_script_words}"
          -D OUTPUT=${PROJECT_BINARY_DIR}/html_page.cpp -P ${html_dir}/embed_page.cmake
  DEPENDS ${html_dir}/page.html ${html_dir}/page.css ${html_scripts} ${html_dir}/embed_page.cmake
  COMMENT "Putting the page of the HTML report together"
  VERBATIM)
target_sources(parqproof_conformance PRIVATE ${PROJECT_BINARY_DIR}/html_page.cpp)
