# What the program says about itself, written by the build: its manual pages and the completions for
# shells, both from the table of verbs (src/cli/verb_table.cpp). Pages are compressed, as they are
# installed; man(1) and mandoc(1) read them so.
set(LOGWOOD_VERSION_DATE "November 15, 2026")  # of PROJECT_VERSION, shown at the foot of pages

add_executable(logwood_manual ${PROJECT_SOURCE_DIR}/cli/write_manual.cpp)
target_include_directories(logwood_manual PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(logwood_manual PRIVATE logwood_cli)
logwood_warnings(logwood_manual)

find_program(LOGWOOD_GZIP gzip REQUIRED)
set(session_page ${PROJECT_SOURCE_DIR}/docs/man/logwood-session.5)
# Which pages there are only the table knows, so a stamp stands for them, and old ones are removed.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/written
  COMMAND ${CMAKE_COMMAND} -E rm -rf man
  COMMAND ${CMAKE_COMMAND} -E make_directory man/man1 man/man5
  COMMAND logwood_manual man/man1 ${PROJECT_VERSION} ${LOGWOOD_VERSION_DATE}
  COMMAND ${CMAKE_COMMAND} -E copy ${session_page} man/man5/
  COMMAND ${LOGWOOD_GZIP} -9nr man
  COMMAND ${CMAKE_COMMAND} -E touch man/written
  DEPENDS logwood_manual ${session_page}
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  VERBATIM)

set(completions "")
foreach(row IN ITEMS "bash logwood" "zsh _logwood" "fish logwood.fish")
  separate_arguments(row)
  list(GET row 0 shell)
  list(GET row 1 name)
  set(script ${PROJECT_BINARY_DIR}/completions/${shell}/${name})
  add_custom_command(OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory completions/${shell}
    COMMAND logwood_program completion ${shell} > ${script}
    DEPENDS logwood_program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    VERBATIM)
  list(APPEND completions ${script})
endforeach()

add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/man/written ${completions})
