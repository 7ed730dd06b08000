#include "cli/settings.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "cli/text_file.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t settings_size_max = 64U << 10U;

// The XDG rules: a folder that is not absolute does not count.
std::string folder_of(const Variable& variable, const char* name, std::string_view below_home) {
  if (std::string set = variable(name); set.starts_with('/')) return set;
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + std::string(below_home);
}

class Reader {
 public:
  Reader(std::string path, std::string home) : path_(std::move(path)), home_(std::move(home)) {}

  Result<Settings> read(std::string_view text) {
    const JsonCheck check = check_json(text, [&](const JsonMember& member) { take(member); });
    if (!check) return wrong("it " + describe(check));
    if (text[text.find_first_not_of(" \t\r\n")] != '{') return wrong("it is not a JSON object");
    if (!failure_) return std::move(failure_).error();
    return std::move(settings_);
  }

 private:
  Error wrong(std::string_view why) const {
    return {ErrorCode::invalid_argument, fmt::format("{}: {}", path_, why)};
  }

  void refuse(std::string_view why) {
    if (failure_) failure_ = wrong(why);
  }

  void take(const JsonMember& member) {
    const auto text = json_string_value(member.value);
    if (member.is("store")) {
      settings_.store = text;
      if (text && text->starts_with("~/") && !home_.empty())
        settings_.store = home_ + text->substr(1);
      if (!text || !settings_.store->starts_with('/'))
        refuse(R"("store" is a path that begins with / or ~/)");
    } else if (member.is("pager")) {
      settings_.pager = text;
      if (!text) refuse(R"("pager" is a command in quotes, or "" for none)");
    } else if (member.is("color")) {
      settings_.colour = colour_named(text.value_or(""));
      if (!settings_.colour) refuse(R"("color" is "auto", "always" or "never")");
    } else if (member.is("limit")) {
      settings_.limit = json_unsigned(member.value);
      if (settings_.limit.value_or(0) == 0) refuse(R"("limit" is a whole number from 1)");
    } else if (member.is("models")) {
      settings_.models = member.value;
      if (!member.value.starts_with('[')) refuse(R"("models" is an array of objects)");
    } else {
      refuse(fmt::format(R"(there is no setting "{}", only store, pager, color, limit and models)",
                         member.key));
    }
  }

  std::string path_;
  std::string home_;
  Settings settings_;
  Result<> failure_;
};

}  // namespace

std::optional<Colour> colour_named(std::string_view name) {
  if (name == "auto") return Colour::automatic;
  if (name == "always") return Colour::always;
  if (name == "never") return Colour::never;
  return std::nullopt;
}

std::string settings_path(const Variable& variable) {
  const std::string folder = folder_of(variable, "XDG_CONFIG_HOME", "/.config");
  return folder.empty() ? "" : folder + "/logwood/config.json";
}

Result<Settings> read_settings(const Variable& variable) {
  const std::string path = settings_path(variable);
  if (path.empty()) return Settings();
  auto text = read_text_file(path, settings_size_max, FileKinds::regular);
  if (!text) {
    if (text.error().code == ErrorCode::not_found) return Settings();
    return std::move(text).error();
  }
  return parse_settings(*text, path, variable("HOME"));
}

Result<Settings> parse_settings(std::string_view text, const std::string& path,
                                const std::string& home) {
  return Reader(path, home).read(text);
}

std::string default_store(const Variable& variable) {
  const std::string folder = folder_of(variable, "XDG_DATA_HOME", "/.local/share");
  return folder.empty() ? "" : folder + "/logwood";
}

std::string agents_cache(const Variable& variable) {
  const std::string folder = folder_of(variable, "XDG_CACHE_HOME", "/.cache");
  return folder.empty() ? "" : folder + "/logwood/agents";
}

}  // namespace logwood::cli
