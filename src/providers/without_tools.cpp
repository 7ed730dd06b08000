// For a model that uses no tools: what others called, and what came of it, is told as text.
#include <fmt/format.h>

#include "providers/lowering.hpp"
#include "providers/repair.hpp"

namespace logwood::providers {

std::string told_call(const Part& call) {
  const std::string arguments =
      call.are_arguments_invalid ? unescaped(call.arguments_text) : without_spaces(call.arguments);
  return arguments == "{}" ? fmt::format("[{}]", call.name)
                           : fmt::format("[{}] {}", call.name, arguments);
}

void Lowering::tell_tools() {
  if (!request_.tools.empty()) {
    warn(Code::tools_dropped, "tools", {}, std::to_string(request_.tools.size()));
    request_.tools.clear();
  }
  for (Message& message : request_.messages) {
    if (message.role == Role::tool) {
      const Part& result = message.parts.front();
      warn(Code::tool_use_to_text, result, result.call_id);
      const std::string_view name = result.name.empty() ? "a tool" : result.name;
      tell_result(request_, message,
                  result.has_failed ? fmt::format("[{} failed]", name)
                                    : fmt::format("[Result of {}]", name));
      continue;
    }
    for (Part& part : message.parts) {
      const bool is_call = part.kind == PartKind::tool_call;
      if (!is_call && part.kind != PartKind::tool_result) continue;
      part.native = {};
      if (part.is_providers) continue;  // told as those of another provider are
      warn(Code::tool_use_to_text, part, part.call_id);
      part.text = request_.keep_escaped(told_call(part));
      part.kind = PartKind::text;
    }
  }
}

}  // namespace logwood::providers
