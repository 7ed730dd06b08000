// What is looked at in a request before anything is done with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "logwood/result.hpp"

namespace logwood {

Result<> check_utf8(std::string_view what, std::string_view text);

enum class JsonForm : std::uint8_t { object, array };

/// A draft is put together from texts, so each must be one value and not more.
Result<> check_json_form(const std::string& what, std::string_view text, JsonForm form);

}  // namespace logwood
