#include "providers/api.hpp"

#include <algorithm>
#include <array>

namespace logwood::providers {
namespace {

struct ApiRow {
  Api api;
  std::string_view name;
  std::string_view provider;
};

constexpr std::array rows = {
    ApiRow{Api::anthropic_messages, "anthropic-messages", "anthropic"},
    ApiRow{Api::openai_chat, "openai-chat", "openai"},
    ApiRow{Api::openai_responses, "openai-responses", "openai"},
    ApiRow{Api::gemini, "gemini", "google"},
};

const ApiRow* row_of(Api api) {
  const auto* const found = std::ranges::find(rows, api, &ApiRow::api);
  return found == rows.end() ? nullptr : found;
}

}  // namespace

std::string_view name_of(Api api) {
  const ApiRow* const row = row_of(api);
  return row == nullptr ? std::string_view() : row->name;
}

Api api_named(std::string_view name) {
  const auto* const found = std::ranges::find(rows, name, &ApiRow::name);
  return found == rows.end() ? Api::none : found->api;
}

std::string_view default_provider(Api api) {
  const ApiRow* const row = row_of(api);
  return row == nullptr ? std::string_view() : row->provider;
}

}  // namespace logwood::providers
