#include "io/file_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace logwood::io {
namespace {

bool is_sound_part(std::string_view part) { return !part.empty() && part != "." && part != ".."; }

Error unsound_name(std::string_view name, std::string_view what) {
  return Error{ErrorCode::invalid_argument, fmt::format("the name \"{}\" {}", name, what)};
}

}  // namespace

Result<> check_name(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) {
    return unsound_name(name.substr(0, name.find('\0')), "is followed by a NUL character");
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (!is_sound_part(name.substr(begin, end - begin))) {
      return unsound_name(name, "is not below the store: no part may be empty, \".\" or \"..\"");
    }
    begin = end + 1;
  }
  return {};
}

SplitName split_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return {"", std::string(name)};
  return {std::string(name.substr(0, slash)), std::string(name.substr(slash + 1))};
}

}  // namespace logwood::io
