// POST with an answer that comes in pieces. The one file that knows libcurl.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

struct HttpAnswer {
  long status = 0;    // 0: nobody answered
  std::string error;  // why, or what the server said
};

// Each `data:` of the stream of events is told as it comes.
HttpAnswer post_for_events(const std::string& url, const std::vector<std::string>& headers,
                           const std::string& body,
                           const std::function<void(std::string_view)>& on_data);
