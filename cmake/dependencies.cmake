# Every library the installed library needs, in one place. They come from the system and none is
# vendored; tools/install-deps names the packages. None of them appears in include/logwood, so a
# user needs them to link and never to compile. cmake/logwoodConfig.cmake.in and cmake/logwood.pc.in
# repeat this list for users; the package test fails when one of them forgets a row.
find_package(simdjson REQUIRED)  # checks UTF-8
find_package(fmt REQUIRED)       # messages of errors
find_package(OpenSSL REQUIRED COMPONENTS Crypto)  # SHA-256 of the seal
find_package(SQLite3 REQUIRED)  # the catalog
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LOGWOOD_ISAL REQUIRED IMPORTED_TARGET libisal)  # CRC-32C of the seal
pkg_check_modules(LOGWOOD_UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)  # what Unicode says
pkg_check_modules(LOGWOOD_RE2 REQUIRED IMPORTED_TARGET re2)  # patterns of secrets
pkg_check_modules(LOGWOOD_ZLIB REQUIRED IMPORTED_TARGET zlib)  # reads .gz
pkg_check_modules(LOGWOOD_ZSTD REQUIRED IMPORTED_TARGET libzstd)  # archives; reads .zst

# PostgreSQL, of which only the header is needed here: libpq itself is loaded when a program first
# speaks to a server (src/base/libpq.hpp).
find_path(LOGWOOD_LIBPQ_HEADERS libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
