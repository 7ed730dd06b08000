# What `cmake --install` leaves behind: the library, its headers, a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/logwood)

install(TARGETS logwood EXPORT logwoodTargets FILE_SET HEADERS)
install(EXPORT logwoodTargets NAMESPACE logwood:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/logwoodConfig.cmake.in
  ${PROJECT_BINARY_DIR}/logwoodConfig.cmake INSTALL_DESTINATION ${package_dir})
# Below 1.0 the interface may change with every minor version.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/logwoodConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/logwoodConfig.cmake ${PROJECT_BINARY_DIR}/logwoodConfigVersion.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/logwood.pc.in ${PROJECT_BINARY_DIR}/logwood.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/logwood.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
