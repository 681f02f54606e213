# The tests: one executable for each folder of tests/ that holds *_test.cc, found by itself.
enable_testing()
find_package(GTest REQUIRED)
find_library(RAPIDCHECK_LIBRARY rapidcheck)
if(NOT RAPIDCHECK_LIBRARY)
  message(STATUS "RapidCheck is not installed: tests/property is left out")
endif()
include(GoogleTest)

file(GLOB test_programs CONFIGURE_DEPENDS tests/programs/*.cc)
foreach(source ${test_programs})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE pimemory)
  list(APPEND test_program_targets ${name})
endforeach()

# Every test executable is compiled alike, so that all of them share one precompiled header.
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/test_headers.cc CONTENT "// Stands for the precompiled header.\n")
add_library(test_headers OBJECT ${CMAKE_BINARY_DIR}/test_headers.cc)
target_include_directories(test_headers PUBLIC tests)
target_compile_definitions(test_headers PUBLIC
  PI_MEMORY_BINARY="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/pi-memory"
  PIMEMORY_TEST_PROGRAMS_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
  PIMEMORY_SHARED_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
target_link_libraries(test_headers PUBLIC pimemory GTest::gtest)
target_precompile_headers(test_headers PRIVATE
  <gtest/gtest.h> <nlohmann/json.hpp> <string> <vector> <map> <optional> <expected>)

foreach(folder base contracts text storage engine workspace cli crash integration property)
  file(GLOB test_sources CONFIGURE_DEPENDS tests/${folder}/*_test.cc)
  if(NOT test_sources OR (folder STREQUAL property AND NOT RAPIDCHECK_LIBRARY))
    continue()
  endif()
  add_executable(${folder}_tests ${test_sources})
  target_link_libraries(${folder}_tests PRIVATE test_headers GTest::gtest_main util)
  if(RAPIDCHECK_LIBRARY)
    target_link_libraries(${folder}_tests PRIVATE ${RAPIDCHECK_LIBRARY})
  endif()
  target_precompile_headers(${folder}_tests REUSE_FROM test_headers)
  if(TARGET pi-memory)
    add_dependencies(${folder}_tests pi-memory)
  endif()
  if(test_program_targets)
    add_dependencies(${folder}_tests ${test_program_targets})
  endif()
  gtest_discover_tests(${folder}_tests DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
endforeach()
add_test(NAME check_layers COMMAND ${CMAKE_SOURCE_DIR}/scripts/check-layers)
