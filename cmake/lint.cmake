# tidy-lint: clang-tidy over the library, with the checks of .clang-tidy. Minutes, not seconds, so it
# is a target to run by hand and not a test.
find_program(LOGWOOD_RUN_CLANG_TIDY run-clang-tidy-19)
if(LOGWOOD_RUN_CLANG_TIDY)
  add_custom_target(tidy-lint
    COMMAND ${LOGWOOD_RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
      # The commands may come from GCC, whose warnings clang does not all know.
      -extra-arg=-Wno-unknown-warning-option
      ${PROJECT_SOURCE_DIR}/src/
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL)
endif()
