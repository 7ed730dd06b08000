// The manual pages of section 1, in mdoc(7), written from the table of verbs.
#pragma once

#include <string>

#include "cli/verb.hpp"

namespace logwood::cli {

/// What every page says of its edition.
struct Edition {
  std::string version;  ///< 1.2.3
  std::string date;     ///< November 15, 2026
};

/// logwood.1
[[nodiscard]] std::string manual_of_program(const Edition& edition);

/// logwood-VERB.1
[[nodiscard]] std::string manual_of(const Verb& verb, const Edition& edition);

}  // namespace logwood::cli
