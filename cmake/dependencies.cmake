# Finds the system libraries that libpimemory needs; the build and the installed CMake package both read this file.
find_package(Threads REQUIRED)

# pimemory_system_library(TARGET NAME…): the static archive where the system has one, so that one file runs on any machine
# with a recent glibc; else the shared library, and the configuration says so.
function(pimemory_system_library target)
  if(TARGET ${target})
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "^(.+)$" "lib\\1.a" OUTPUT_VARIABLE archives)
  find_library(${target}_FILE NAMES ${archives} ${ARGN} HINTS ${OPENSSL_ROOT_DIR}/lib REQUIRED)
  mark_as_advanced(${target}_FILE)
  if(NOT ${target}_FILE MATCHES "\\.a$")
    message(STATUS "${ARGV1}: no static archive, linking ${${target}_FILE}")
  endif()
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${target}_FILE})
endfunction()

pimemory_system_library(pimemory_crypto crypto)
pimemory_system_library(pimemory_utf8proc utf8proc)
pimemory_system_library(pimemory_brotli_common brotlicommon-static brotlicommon)
pimemory_system_library(pimemory_brotli_encoder brotlienc-static brotlienc)
pimemory_system_library(pimemory_brotli_decoder brotlidec-static brotlidec)
set_target_properties(pimemory_brotli_encoder pimemory_brotli_decoder PROPERTIES
  INTERFACE_LINK_LIBRARIES pimemory_brotli_common)
