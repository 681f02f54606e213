# find_package(pimemory): gives pimemory::pimemory, the static library with everything that it links.
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/pimemory-targets.cmake)
