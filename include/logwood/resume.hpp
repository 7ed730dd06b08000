#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logwood/context.hpp"
#include "logwood/ids.hpp"
#include "logwood/report.hpp"
#include "logwood/session.hpp"

namespace logwood {

/// How far a tool call without a result had come.
enum class CallState : std::uint8_t {
  requested,  ///< the model asked for it; no `tool_run` mark says that it began
  started,    ///< it began, and may have done all, part or nothing of its work
};

struct UnfinishedCall {
  EntryId entry_id;  ///< of the message that asks for it
  std::string call_id;
  std::string name;
  CallState state = CallState::requested;
  std::string arguments = {};  ///< JSON text, as the model wrote it: perhaps not valid

  bool operator==(const UnfinishedCall&) const = default;
};

/// What a program that goes on with a session needs to know and to show.
struct ResumeReport {
  std::size_t turns_restored = 0;
  std::vector<UnfinishedCall> unfinished;  ///< in the order they were asked for
  std::vector<PassedOver> passed_over;
  std::vector<Problem> problems;  ///< torn or damaged places, as far as was read
  bool anchored = false;          ///< as in BackwardPage
};

struct Resumed {
  SessionHeader header;
  std::optional<EntryId> head;
  Context context;
  ResumeReport report;
  std::string read_only;  ///< why nothing can be appended; empty when it can
};

/// What is answered in the place of a tool that did not.
struct CallAnswer {
  std::string text;
  bool failed = true;
};

}  // namespace logwood
