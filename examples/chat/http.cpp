#include "http.hpp"

#include <curl/curl.h>

#include <memory>

namespace {

struct Stream {
  std::function<void(std::string_view)> on_data;
  std::string line;   // what has come of the next one
  std::string whole;  // of an answer that is no stream: an error
};

std::size_t take(char* bytes, std::size_t, std::size_t count, void* into) {
  auto& stream = *static_cast<Stream*>(into);
  for (std::size_t i = 0; i < count; ++i) {
    if (stream.whole.size() < 10'000) stream.whole += bytes[i];
    if (bytes[i] != '\n') {
      stream.line += bytes[i];
      continue;
    }
    if (stream.line.ends_with('\r')) stream.line.pop_back();
    constexpr std::string_view field = "data:";
    if (stream.line.starts_with(field)) {
      std::string_view data = std::string_view(stream.line).substr(field.size());
      if (data.starts_with(' ')) data.remove_prefix(1);
      stream.on_data(data);
    }
    stream.line.clear();
  }
  return count;
}

}  // namespace

HttpAnswer post_for_events(const std::string& url, const std::vector<std::string>& headers,
                           const std::string& body,
                           const std::function<void(std::string_view)>& on_data) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  curl_slist* list = curl_slist_append(nullptr, "content-type: application/json");
  for (const std::string& header : headers) list = curl_slist_append(list, header.c_str());
  Stream stream{on_data, {}, {}};
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &stream);
  const CURLcode done = curl_easy_perform(curl.get());
  HttpAnswer answer;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  curl_slist_free_all(list);
  if (done != CURLE_OK) {
    answer.status = 0;  // also when it broke off in the middle
    answer.error = curl_easy_strerror(done);
  } else if (answer.status != 200) {
    answer.error = stream.whole;
  }
  return answer;
}
