// Sessions as agents leave them: several models of several providers in turn, each in its own
// shape, tools, pictures, crashes anywhere.
#pragma once

#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "model/canonical.hpp"
#include "providers/report.hpp"
#include "providers/stored.hpp"
#include "providers/target.hpp"

namespace logwood {

/// Every part of it carries a mark of its own, MK1K, MK2K …, by which it is found again.
struct RandomSession {
  std::vector<providers::StoredMessage> messages;
  std::string system_prompt;
  std::string tools;
  std::deque<std::string> kept;  ///< what the messages look into

  [[nodiscard]] canonical::Request read() const;
};

/// Those who speak in the sessions, and whom requests are made for.
[[nodiscard]] const std::vector<providers::Target>& known_targets();

[[nodiscard]] RandomSession random_session(std::mt19937_64& random);

/// As a crash leaves it: some parts of what a model says were never finished, and some branch
/// changed what came before.
void break_some(canonical::Request& request, std::mt19937_64& random);

/// The first mark in a text; empty when there is none.
[[nodiscard]] std::string_view mark_in(std::string_view text);

/// What a part is found again by; empty: nothing.
[[nodiscard]] std::string_view needle_of(const canonical::Part& part);

/// Whether a report says with it that something is not there any more.
[[nodiscard]] bool says_lost(const providers::Warning& warning);

}  // namespace logwood
