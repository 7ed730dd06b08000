# Programs: one source file is one executable, called like the file.
#
#   examples/*.cpp         as a user would write them: public headers only. Run as tests.
#   bench/*.cpp            measurements against the bare engine; peer_*.cpp against other stores
#   tests/programs/*.cpp   campaigns and their workers, for tools/prove (tests/CMakeLists.txt)
#   fuzz/*.cpp             libFuzzer targets, with LOGWOOD_FUZZ=ON

# logwood_programs(<folder> <made> [LINK <target>...] [INTO <folder>] [ONLY <name>...]): makes
# build/<preset>/<folder>/<file> of every source in <folder>, or of those named, and returns the
# targets in <made>. INTO puts them elsewhere: the same sources linked in another way.
function(logwood_programs folder made)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "INTO" "LINK;ONLY")
  if(NOT arg_INTO)
    set(arg_INTO ${folder})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  set(targets "")
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    if(arg_ONLY AND NOT name IN_LIST arg_ONLY)
      continue()
    endif()
    string(REPLACE "/" "_" target ${arg_INTO}_${name})
    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${arg_INTO})
    target_link_libraries(${target} PRIVATE ${arg_LINK})
    logwood_warnings(${target})
    list(APPEND targets ${target})
  endforeach()
  set(${made} ${targets} PARENT_SCOPE)
endfunction()
