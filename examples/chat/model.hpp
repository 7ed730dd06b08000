// Models that answer: Anthropic, OpenAI chat and Gemini over the network, and one that only echoes.
#pragma once

#include <functional>
#include <logwood/origin.hpp>
#include <string>
#include <string_view>

struct Answer {
  std::string message;  // JSON: what the provider said, to be stored as it is
  std::string error;    // why there is none
};

// Sends the body and tells text as it comes.
Answer ask(const logwood::ModelRef& model, const std::string& body,
           const std::function<void(std::string_view)>& on_text);
