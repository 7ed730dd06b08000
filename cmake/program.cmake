# The program `logwood`: cli/main.cpp on top of the layer cli.
target_compile_definitions(logwood_cli PRIVATE LOGWOOD_VERSION="${PROJECT_VERSION}")
target_link_libraries(logwood_cli PUBLIC logwood)

add_executable(logwood_program ${PROJECT_SOURCE_DIR}/cli/main.cpp)
set_target_properties(logwood_program PROPERTIES OUTPUT_NAME logwood)
target_include_directories(logwood_program PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(logwood_program PRIVATE logwood_cli)
logwood_warnings(logwood_program)
