# logwood_layer(<name> [APART] [USES <layer>...] [LIBRARIES <target>...])
#
# One object library, logwood_<name>, of every source below src/<name>. USES repeats the row of
# tools/layers.txt, for whoever reads the build; tools/check_layers.py compares the two and the
# includes. A layer can use only what was declared before it, so there are no circles.
# LIBRARIES are private to the layer and linked into logwood::logwood.
#
# APART: the layer is a library of its own, logwood_<name>, and not part of the installed one: what
# only the program needs.
#
# A layer whose folder has no source yet is declared and builds nothing.
function(logwood_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART" "" "USES;LIBRARIES")

  get_property(declared GLOBAL PROPERTY LOGWOOD_LAYERS)
  foreach(used IN LISTS arg_USES)
    if(NOT used IN_LIST declared)
      message(FATAL_ERROR "layer ${name} uses ${used}, which is not declared before it")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY LOGWOOD_LAYERS ${name})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    message(STATUS "layer ${name}: no sources yet")
    return()
  endif()
  if(arg_APART)
    add_library(logwood_${name} STATIC ${sources})
  else()
    set_property(GLOBAL APPEND PROPERTY LOGWOOD_SOURCES ${sources})
    set_property(GLOBAL APPEND PROPERTY LOGWOOD_OBJECTS $<TARGET_OBJECTS:logwood_${name}>)
    set_property(GLOBAL APPEND PROPERTY LOGWOOD_LIBRARIES ${arg_LIBRARIES})
    add_library(logwood_${name} OBJECT ${sources})
  endif()
  target_include_directories(logwood_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(logwood_${name} PRIVATE ${arg_LIBRARIES})
  logwood_warnings(logwood_${name})
endfunction()
