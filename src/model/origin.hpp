// Who made a message, as JSON.
#pragma once

#include <optional>
#include <string_view>

#include "base/json_writer.hpp"
#include "logwood/origin.hpp"

namespace logwood {

/// The members `api`, `provider`, `model` and perhaps `account` of an object that is open.
void write_model(JsonWriter& json, const ModelRef& model);

/// From an object with these members: an origin, a `model_change`, a message that names its maker.
[[nodiscard]] std::optional<MessageOrigin> read_origin(std::string_view object);

}  // namespace logwood
