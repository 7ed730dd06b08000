// PostgreSQL as somebody would use it who knows libpq, to hold the store against.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/libpq.hpp"
#include "base/postgres.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"

namespace logwood::bench {

inline std::string url_of_test() {
  const char* const url = std::getenv("LOGWOOD_TEST_POSTGRES_OWNER");
  if (url == nullptr) give_up("there is no server: tests/servers/postgres.py run -- starts one");
  return url;
}

/// A connection: blocking, prepared, binary.
class Bare {
 public:
  Bare(const std::string& url, std::int32_t tenant) : pq_(*must(libpq())) {
    const char* const names[] = {"dbname", nullptr};
    const char* const values[] = {url.c_str(), nullptr};
    connection_ = pq_.connect(names, values, 1);
    if (pq_.status(connection_) != CONNECTION_OK) give_up(pq_.error_message(connection_));
    tenant_ = big_endian(static_cast<std::uint32_t>(tenant));
    clear(ask(fmt::format("set logwood.tenant = '{}'", tenant).c_str()));
  }
  ~Bare() { pq_.finish(connection_); }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  template <class Number>
  static std::string big_endian(Number number) {
    std::string bytes;
    for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
      bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
    }
    return bytes;
  }

  /// An array of values of this type, in binary form.
  static std::string array(std::uint32_t type, const std::vector<std::string>& values) {
    const auto number = [](std::size_t n) { return big_endian(static_cast<std::uint32_t>(n)); };
    if (values.empty()) return number(0) + number(0) + number(type);
    std::string bytes = number(1) + number(0) + number(type) + number(values.size()) + number(1);
    for (const std::string& value : values) bytes += number(value.size()) + value;
    return bytes;
  }

  // Text in, text out.
  std::string text(const char* statement) {
    PGresult* const result = ask(statement);
    std::string value = pq_.row_count(result) > 0 ? pq_.value(result, 0, 0) : "";
    clear(result);
    return value;
  }

  void prepare(const PgStatement& statement) {
    if (pq_.send_prepare(connection_, statement.name, statement.sql, 0, nullptr) == 0) fail();
    clear(results());
  }

  // Returns how many rows came.
  int run(const PgStatement& statement, const std::vector<std::optional<std::string>>& values) {
    std::vector<const char*> pointers{tenant_.data()};
    std::vector<int> lengths{static_cast<int>(tenant_.size())};
    for (const auto& value : values) {
      pointers.push_back(value ? value->data() : nullptr);
      lengths.push_back(value ? static_cast<int>(value->size()) : 0);
    }
    const std::vector<int> formats(pointers.size(), 1);
    if (pq_.send_query_prepared(connection_, statement.name, static_cast<int>(pointers.size()),
                                pointers.data(), lengths.data(), formats.data(), 1) == 0)
      fail();
    PGresult* const result = results();
    const int rows = pq_.row_count(result);
    clear(result);
    return rows;
  }

 private:
  [[noreturn]] void fail() { give_up(pq_.error_message(connection_)); }
  void clear(PGresult* result) { pq_.clear(result); }
  PGresult* ask(const char* statement) {
    if (pq_.send_query(connection_, statement) == 0) fail();
    return results();
  }
  PGresult* results() {
    PGresult* last = nullptr;
    while (PGresult* const next = pq_.get_result(connection_)) {
      if (last != nullptr) clear(last);
      last = next;
    }
    if (last == nullptr ||
        (pq_.result_status(last) != PGRES_TUPLES_OK && pq_.result_status(last) != PGRES_COMMAND_OK))
      fail();
    return last;
  }

  const Libpq& pq_;
  PGconn* connection_;
  std::string tenant_;
};

struct Place {
  std::string url;
  std::string server;  ///< the same for libpq, which knows no tenants
  std::int32_t tenant = 0;
};

/// A new tenant, whose owner asks.
inline Place new_place() {
  const std::string tenant = new_entry_id().text;
  const std::string server = url_of_test();
  Place place{server + "?tenant=" + tenant, server};
  must(Store::open(place.url, {.create = StoreOptions::Create::if_missing}));
  Bare bare(server, 0);
  place.tenant = std::stoi(bare.text(
      fmt::format("select tenant from logwood.tenants where name = '{}'", tenant).c_str()));
  return place;
}

inline std::string number_of(const Place& place, const SessionId& session) {
  Bare bare(place.server, place.tenant);
  const std::string number =
      bare.text(fmt::format("select session from logwood.sessions where tenant = {} and id = '{}'",
                            place.tenant, session.text)
                    .c_str());
  return Bare::big_endian(std::stoull(number));
}

}  // namespace logwood::bench
