// Saying what differs between a store and the naive model of one.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include "logwood/result.hpp"

namespace logwood {

class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws a Disagreement that says all the parts.
template <class... Parts>
[[noreturn]] void disagree(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Disagreement(text.str());
}

template <class... Parts>
void require(bool holds, const Parts&... parts) {
  if (!holds) disagree(parts...);
}

/// A call must have failed with this code.
template <class T>
void require_error(const Result<T>& result, ErrorCode code, const char* what) {
  require(!result, what, " succeeded, should be ", name_of(code));
  require(result.error().code == code, what, " is ", name_of(result.error().code), " (",
          result.error().message, "), should be ", name_of(code));
}

template <class T>
void require_success(const Result<T>& result, const char* what) {
  require(result.has_value(), what, ": ",
          result ? std::string()
                 : std::string(name_of(result.error().code)) + ": " + result.error().message);
}

}  // namespace logwood
