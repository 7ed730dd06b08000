# The layers become one library. Users see include/logwood and nothing else; tests also see src/
# (target logwood_insides).
get_property(objects GLOBAL PROPERTY LOGWOOD_OBJECTS)
get_property(sources GLOBAL PROPERTY LOGWOOD_SOURCES)
get_property(libraries GLOBAL PROPERTY LOGWOOD_LIBRARIES)
list(REMOVE_DUPLICATES libraries)
if(NOT sources)
  message(FATAL_ERROR "no sources below src/: there is no library to build")
endif()

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/logwood/*.hpp)

add_library(logwood STATIC ${objects})
add_library(logwood::logwood ALIAS logwood)
target_sources(logwood PUBLIC
  FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${public_headers})
target_compile_features(logwood PUBLIC cxx_std_20)
target_link_libraries(logwood PRIVATE ${libraries})

# What a test may see beyond the promise: private headers, and the libraries for comparison.
add_library(logwood_insides INTERFACE)
target_include_directories(logwood_insides INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_features(logwood_insides INTERFACE cxx_std_20)
target_link_libraries(logwood_insides INTERFACE ${libraries})

# The same sources with known bugs in them, each chosen at run time. tests/seeded uses it to show
# that the harness can fail; nothing else may link it, and it is never installed.
add_library(logwood_seeded STATIC EXCLUDE_FROM_ALL ${sources})
target_compile_definitions(logwood_seeded PUBLIC LOGWOOD_SEEDED_BUGS=1)
target_link_libraries(logwood_seeded PUBLIC logwood_insides)
logwood_warnings(logwood_seeded)
