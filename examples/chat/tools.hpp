// What the model may do here: read files, list folders, and run commands when the user agrees.
#pragma once

#include <functional>
#include <string>

struct ToolResult {
  std::string text;
  bool failed = false;
};

// For `runtime_init`: logwood gives each API the definitions in its own way.
extern const char* const tool_definitions;

// `arguments` is JSON, as the model wrote it: perhaps not what the tool wants.
ToolResult run_tool(const std::string& name, const std::string& arguments,
                    const std::function<bool(const std::string& question)>& agrees);
