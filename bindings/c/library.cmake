# libparqproof.so: the C interface, and the program for the wheel, from the objects of the program. It needs libc alone, and exports the
# functions of parqproof.h, and parqproof_main.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/parqproof.h abi_version REGEX "define PARQPROOF_ABI_VERSION ")
string(REGEX REPLACE ".* " "" abi_version "${abi_version}")
file(GLOB interface_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(parqproof_c SHARED ${interface_sources})
add_library(parqproof::c ALIAS parqproof_c)
set_target_properties(parqproof_c PROPERTIES OUTPUT_NAME parqproof EXPORT_NAME c VERSION ${abi_version} SOVERSION ${abi_version}
                                             LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/parqproof.map)
target_include_directories(parqproof_c INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}> $<INSTALL_INTERFACE:include>)
target_link_libraries(parqproof_c PRIVATE parqproof_cli parqproof_conformance parqproof_warnings)
target_compile_options(parqproof_c PRIVATE $<$<CONFIG:Release>:-O2>)
combine(parqproof_c ${interface_sources})
if(APPLE)
  target_link_options(parqproof_c PRIVATE "LINKER:-exported_symbol,_parqproof_*")
else()
  target_link_options(parqproof_c PRIVATE "LINKER:--version-script=${CMAKE_CURRENT_LIST_DIR}/parqproof.map" "LINKER:--no-undefined" "LINKER:--gc-sections"
                                          -static-libstdc++ -static-libgcc)
endif()
