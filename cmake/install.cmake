# What `cmake --install` leaves behind, in three components:
#
#   program      the program, its manual pages and completions, what to read
#   development  the library, its headers, a CMake package and a pkg-config file
#   plain        what a Debian package has in a form or place of its own (package.cmake): licence,
#                changelog, completion of zsh
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
# Installing does not build: whoever wants only some of this builds only that.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# --- program ------------------------------------------------------------------------------------
install(TARGETS logwood_program COMPONENT program)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program
  FILES_MATCHING PATTERN "*.gz")
set(share ${CMAKE_INSTALL_DATAROOTDIR})
install(FILES ${PROJECT_BINARY_DIR}/completions/bash/logwood
  DESTINATION ${share}/bash-completion/completions COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/completions/zsh/_logwood
  DESTINATION ${share}/zsh/site-functions COMPONENT plain)
install(FILES ${PROJECT_BINARY_DIR}/completions/fish/logwood.fish
  DESTINATION ${share}/fish/vendor_completions.d COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/format.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT plain)

# --- development --------------------------------------------------------------------------------
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/logwood)
install(TARGETS logwood EXPORT logwoodTargets
  ARCHIVE COMPONENT development
  FILE_SET HEADERS COMPONENT development)
# CMake strips programs and shared libraries only.
install(CODE "
  if(CMAKE_INSTALL_DO_STRIP)
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug --enable-deterministic-archives
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:logwood>\"
      COMMAND_ERROR_IS_FATAL ANY)
  endif()" COMPONENT development)
install(EXPORT logwoodTargets NAMESPACE logwood:: DESTINATION ${package_dir} COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/logwoodConfig.cmake.in
  ${PROJECT_BINARY_DIR}/logwoodConfig.cmake INSTALL_DESTINATION ${package_dir})
# Below 1.0 the interface may change with every minor version.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/logwoodConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/logwoodConfig.cmake ${PROJECT_BINARY_DIR}/logwoodConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/logwood.pc.in ${PROJECT_BINARY_DIR}/logwood.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/logwood.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
