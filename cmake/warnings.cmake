# logwood_warnings(<target>): the warnings all of our code is free of, with GCC 12 and clang 19.
# They are errors for those who work on logwood and only warnings for those who embed its sources:
# a newer compiler must not break their build.
function(logwood_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    # GCC 12 reports "literal" + std::string as overlapping memory (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${LOGWOOD_DEVELOPER}>:-Werror>)
endfunction()
