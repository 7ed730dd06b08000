#include "logwood/error.hpp"

namespace logwood {

std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::already_exists:
      return "already_exists";
    case ErrorCode::conflict:
      return "conflict";
    case ErrorCode::id_conflict:
      return "id_conflict";
    case ErrorCode::damaged:
      return "damaged";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::permission_denied:
      return "permission_denied";
    case ErrorCode::busy:
      return "busy";
    case ErrorCode::no_space:
      return "no_space";
    case ErrorCode::unavailable:
      return "unavailable";
    case ErrorCode::durability_unknown:
      return "durability_unknown";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

}  // namespace logwood
