#pragma once

#include <array>
#include <string_view>

#include "logwood/error.hpp"

namespace logwood::cli {

/// What a caller of the program can tell apart.
enum class ExitCode : int {
  done = 0,
  failed = 1,
  usage = 2,
  not_found = 3,
  conflict = 4,
  damaged = 5,
  unavailable = 6,    ///< or busy: try again
  interrupted = 130,  ///< by Ctrl-C, at a safe point
};

struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
};

/// For the manual pages.
inline constexpr std::array exit_meanings{
    ExitMeaning{ExitCode::done, "it did what it was told"},
    ExitMeaning{ExitCode::failed, "it failed: no permission, no space, a newer format"},
    ExitMeaning{ExitCode::usage, "the words of the command do not fit"},
    ExitMeaning{ExitCode::not_found, "there is no such store, session or entry"},
    ExitMeaning{ExitCode::conflict, "somebody was quicker, or the name is taken"},
    ExitMeaning{ExitCode::damaged, "the session is damaged, or a receipt does not hold"},
    ExitMeaning{ExitCode::unavailable, "busy, or not to be reached: try again"},
    ExitMeaning{ExitCode::interrupted, "somebody pressed Ctrl-C: it stopped at a safe point"},
};

[[nodiscard]] constexpr ExitCode exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return ExitCode::usage;
    case ErrorCode::not_found:
      return ExitCode::not_found;
    case ErrorCode::conflict:
    case ErrorCode::id_conflict:
    case ErrorCode::already_exists:
      return ExitCode::conflict;
    case ErrorCode::damaged:
      return ExitCode::damaged;
    case ErrorCode::busy:
    case ErrorCode::unavailable:
    case ErrorCode::durability_unknown:
      return ExitCode::unavailable;
    case ErrorCode::unsupported:
    case ErrorCode::permission_denied:
    case ErrorCode::no_space:
    case ErrorCode::internal:
      return ExitCode::failed;
  }
  return ExitCode::failed;
}

}  // namespace logwood::cli
