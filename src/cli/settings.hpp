// What a person has set once for all runs, in config.json. A command line and the environment say
// it louder.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "logwood/result.hpp"

namespace logwood::cli {

using Variable = std::function<std::string(const char*)>;  ///< of the environment; empty: not set

enum class Colour : unsigned char { automatic, always, never };

/// `auto`, `always` or `never`.
[[nodiscard]] std::optional<Colour> colour_named(std::string_view name);

struct Settings {
  std::optional<std::string> store;  ///< an absolute path
  std::optional<std::string> pager;  ///< a command; empty: none
  std::optional<Colour> colour;
  std::optional<std::size_t> limit;   ///< of lists
  std::optional<std::string> models;  ///< JSON: rows for the table of models
};

/// `$XDG_CONFIG_HOME/logwood/config.json`, else below ~/.config; empty when neither is known.
[[nodiscard]] std::string settings_path(const Variable& variable);

/// What the file says; nothing where there is none. `invalid_argument` says what in it is wrong.
Result<Settings> read_settings(const Variable& variable);

/// The text of the file; `path` and `home` are for what it says.
Result<Settings> parse_settings(std::string_view text, const std::string& path,
                                const std::string& home);

/// Where a program keeps what is the user's: `$XDG_DATA_HOME`, else ~/.local/share, and logwood in
/// it. Empty when neither is known.
[[nodiscard]] std::string default_store(const Variable& variable);

/// Where it keeps what can be made again: `$XDG_CACHE_HOME`, else ~/.cache, and logwood/agents in
/// it, for the catalog of the sessions of other agents. Empty when neither is known.
[[nodiscard]] std::string agents_cache(const Variable& variable);

}  // namespace logwood::cli
