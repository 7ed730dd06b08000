#include "tools.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

const char* const tool_definitions = R"([
{"name":"read_file","description":"Reads a text file","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},
{"name":"list_files","description":"Lists a folder","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},
{"name":"run","description":"Runs a shell command, if the user agrees","input_schema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}])";

namespace {

constexpr std::size_t longest = 100'000;  // of what a model should read at once

ToolResult shortened(std::string text, bool failed) {
  if (text.size() > longest) text = text.substr(0, longest) + "\n(cut off)";
  return {std::move(text), failed};
}

ToolResult read_file(const std::string& path) {
  const std::ifstream file(path);
  if (!file) return {"cannot read " + path, true};
  std::ostringstream text;
  text << file.rdbuf();
  return shortened(text.str(), false);
}

ToolResult list_files(const std::string& path) {
  std::error_code failed;
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed)) {
    text += entry.path().filename().string() + (entry.is_directory() ? "/\n" : "\n");
  }
  if (failed) return {path + ": " + failed.message(), true};
  return shortened(text, false);
}

ToolResult run_command(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return {"cannot run " + command, true};
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), got);
  }
  const int status = ::pclose(pipe);
  const bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (failed) text += "\n(it failed)";
  return shortened(text, failed);
}

}  // namespace

ToolResult run_tool(const std::string& name, const std::string& arguments,
                    const std::function<bool(const std::string&)>& agrees) {
  const auto given = nlohmann::json::parse(arguments, nullptr, false);
  const char* const wanted = name == "run" ? "command" : "path";
  if (!given.is_object() || !given.contains(wanted) || !given[wanted].is_string()) {
    return {"the arguments need a string " + std::string(wanted), true};
  }
  const std::string value = given[wanted];
  if (name == "read_file") return read_file(value);
  if (name == "list_files") return list_files(value);
  if (name != "run") return {"there is no tool " + name, true};
  if (!agrees("run " + value + " ?")) return {"the user said no", true};
  return run_command(value);
}
