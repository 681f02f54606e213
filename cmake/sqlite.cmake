# SQLite from the pinned amalgamation: the distribution's own can have the WAL-reset race, and its options are not ours.
set(PIMEMORY_DEPENDENCIES ${CMAKE_SOURCE_DIR}/.deps CACHE PATH "Where scripts/fetch-dependencies unpacks")
set(SQLITE_FOLDER ${PIMEMORY_DEPENDENCIES}/better-sqlite3/deps/sqlite3)
if(NOT EXISTS ${SQLITE_FOLDER}/sqlite3.c)
  message(FATAL_ERROR "${SQLITE_FOLDER}/sqlite3.c is missing: run scripts/fetch-dependencies first")
endif()

add_library(sqlite3_static STATIC ${SQLITE_FOLDER}/sqlite3.c)
target_include_directories(sqlite3_static SYSTEM PUBLIC $<BUILD_INTERFACE:${SQLITE_FOLDER}>)
target_compile_definitions(sqlite3_static PRIVATE
  SQLITE_DEFAULT_MEMSTATUS=0
  SQLITE_DEFAULT_SYNCHRONOUS=2
  SQLITE_DQS=0
  SQLITE_ENABLE_DBSTAT_VTAB
  SQLITE_LIKE_DOESNT_MATCH_BLOBS
  SQLITE_MAX_EXPR_DEPTH=0
  SQLITE_OMIT_DEPRECATED
  SQLITE_OMIT_LOAD_EXTENSION
  SQLITE_OMIT_SHARED_CACHE
  SQLITE_THREADSAFE=1
  SQLITE_USE_URI=0)
target_compile_options(sqlite3_static PRIVATE -O2 -w)
target_link_libraries(sqlite3_static PUBLIC Threads::Threads)
