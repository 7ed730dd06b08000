# The Debian packages that `cpack -G DEB` makes of a built tree; tools/make-packages calls it:
#
#   logwood      the program
#   logwood-dev  the library and what others need to build on it
#
# Both come from the build that is tested and measured, without its debug information.
find_program(LOGWOOD_DPKG_QUERY dpkg-query)
if(NOT LOGWOOD_DPKG_QUERY)
  return()
endif()

# Whoever links liblogwood.a needs the libraries behind it. Which packages those are is asked of the
# machine that builds: they hold the pkg-config files that ours requires.
file(STRINGS ${PROJECT_BINARY_DIR}/logwood.pc required REGEX "^Requires.private:")
string(REGEX REPLACE "^Requires.private:" "" required "${required}")
string(REGEX MATCHALL "[^ ,]+" required "${required}")
set(development_packages "")
foreach(module IN LISTS required)
  pkg_get_variable(folder ${module} pcfiledir)
  execute_process(COMMAND ${LOGWOOD_DPKG_QUERY} --search ${folder}/${module}.pc
    OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" owner "${owner}")
  if(owner)
    list(APPEND development_packages ${owner})
  endif()
endforeach()
list(JOIN development_packages ", " development_packages)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR logwood)
set(CPACK_PACKAGE_CONTACT "logwood maintainers <maintainers@logwood.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own, the first line of its description
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# Whatever the umask of whoever builds.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program debian_logwood development debian_logwood-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_LOGWOOD_PACKAGE_NAME logwood)
set(CPACK_DEBIAN_LOGWOOD_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_LOGWOOD_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LOGWOOD_DESCRIPTION "durable session store for AI agents: the program
logwood keeps the histories of AI agents in plain files of JSON lines that no
crash, second process or bad byte can take away.

This package has the program, with which sessions are listed, read, branched,
redacted, erased and verified, its manual pages and its completions.")
set(CPACK_DEBIAN_LOGWOOD-DEV_PACKAGE_NAME logwood-dev)
set(CPACK_DEBIAN_LOGWOOD-DEV_PACKAGE_SECTION libdevel)
# Loaded when a store in PostgreSQL is first opened.
set(CPACK_DEBIAN_LOGWOOD_PACKAGE_RECOMMENDS "libpq5")
set(CPACK_DEBIAN_LOGWOOD-DEV_PACKAGE_DEPENDS "${development_packages}")
set(CPACK_DEBIAN_LOGWOOD-DEV_DESCRIPTION "durable session store for AI agents: the library
logwood keeps the histories of AI agents in plain files of JSON lines that no
crash, second process or bad byte can take away.

This package has the static library for C++20, its headers, a CMake package
and a pkg-config file.")

# --- what Debian has in its own form -------------------------------------------------------------
# It is in no ordinary installation (EXCLUDE_FROM_ALL), only in the packages.
set(papers ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in ${papers}/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/copyright.in ${papers}/copyright @ONLY)
file(COPY_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${papers}/changelog)
execute_process(COMMAND ${LOGWOOD_GZIP} -9nf changelog changelog.Debian
  WORKING_DIRECTORY ${papers} COMMAND_ERROR_IS_FATAL ANY)
foreach(package IN ITEMS logwood logwood-dev)
  install(FILES ${papers}/copyright ${papers}/changelog.gz ${papers}/changelog.Debian.gz
    DESTINATION ${share}/doc/${package} COMPONENT debian_${package} EXCLUDE_FROM_ALL)
endforeach()

install(FILES ${PROJECT_BINARY_DIR}/completions/zsh/_logwood
  DESTINATION ${share}/zsh/vendor-completions COMPONENT debian_logwood EXCLUDE_FROM_ALL)

include(CPack)
cpack_add_component_group(logwood)
cpack_add_component_group(logwood-dev)
cpack_add_component(program GROUP logwood)
cpack_add_component(debian_logwood GROUP logwood)
cpack_add_component(development GROUP logwood-dev)
cpack_add_component(debian_logwood-dev GROUP logwood-dev)
