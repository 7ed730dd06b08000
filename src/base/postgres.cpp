#include "base/postgres.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/libpq.hpp"

namespace logwood {
namespace {

constexpr int binary = 1;

std::string_view without_line_end(const char* text) {
  std::string_view view = text == nullptr ? "" : text;
  while (view.ends_with('\n')) view.remove_suffix(1);
  return view;
}

// What a person or a caller can do about it, by the first characters of the SQLSTATE.
ErrorCode code_of(std::string_view state) {
  struct Row {
    std::string_view begins;
    ErrorCode code;
  };
  static constexpr std::array rows{
      Row{"08", ErrorCode::unavailable},           // connection
      Row{"57P", ErrorCode::unavailable},          // the server is starting, stopping or crashing
      Row{"57014", ErrorCode::busy},               // a time limit of the server
      Row{"53100", ErrorCode::no_space},           //
      Row{"53", ErrorCode::unavailable},           // connections, memory
      Row{"25006", ErrorCode::unavailable},        // a standby
      Row{"55P03", ErrorCode::busy},               // lock_timeout
      Row{"40", ErrorCode::busy},                  // deadlock, serialization
      Row{"23505", ErrorCode::already_exists},     //
      Row{"42501", ErrorCode::permission_denied},  //
      Row{"28", ErrorCode::permission_denied},     // password
      Row{"3D000", ErrorCode::not_found},          // no such database
      Row{"3F000", ErrorCode::not_found},          // no such schema
      Row{"42P01", ErrorCode::not_found},          // no such table
      Row{"42883", ErrorCode::not_found},          // no such function
      Row{"XX00", ErrorCode::damaged},             //
      Row{"58030", ErrorCode::unavailable},        // io error
      Row{"54", ErrorCode::invalid_argument},      // limits of the program
  };
  const auto* const found = std::find_if(
      rows.begin(), rows.end(), [&](const Row& row) { return state.starts_with(row.begins); });
  return found == rows.end() ? ErrorCode::internal : found->code;
}

// Before a session exists libpq tells no SQLSTATE.
ErrorCode code_of_refusal(std::string_view why) {
  const auto says = [&](std::string_view words) {
    return why.find(words) != std::string_view::npos;
  };
  if (why.starts_with("invalid ")) return ErrorCode::invalid_argument;
  if (says("database \"") && says("does not exist")) return ErrorCode::not_found;
  if (says("password authentication failed") || says("permission denied")) {
    return ErrorCode::permission_denied;
  }
  return ErrorCode::unavailable;
}

}  // namespace

void PgConnection::Finish::operator()(pg_conn* connection) const { libpq->finish(connection); }

PgConnection::PgConnection(const Libpq& libpq, pg_conn* connection, const PgOptions& options)
    : libpq_(&libpq),
      options_(options),
      connection_(connection, Finish{&libpq}),
      shared_(std::make_unique<Shared>()) {}

Result<PgConnection> PgConnection::open(const PgOptions& options, Deadline deadline) {
  LOGWOOD_TRY(const Libpq* const libpq, logwood::libpq());
  // What the URL says counts more, as it comes later. A server that does not answer is given up
  // after seconds, not after the minutes that TCP allows.
  constexpr std::array names{
      "connect_timeout",  "keepalives_idle", "keepalives_interval",       "keepalives_count",
      "tcp_user_timeout", "client_encoding", "fallback_application_name", "dbname"};
  const std::array values{"3", "5", "2", "3", "10000", "UTF8", "logwood", options.url.c_str()};
  std::vector<const char*> keywords(names.begin(), names.end());
  std::vector<const char*> settings(values.begin(), values.end());
  keywords.push_back(nullptr);
  settings.push_back(nullptr);
  PgConnection made(*libpq, libpq->connect(keywords.data(), settings.data(), 1), options);
  pg_conn* const connection = made.connection_.get();
  if (connection == nullptr) return Error{ErrorCode::unavailable, "no memory for a connection"};
  if (libpq->status(connection) != CONNECTION_OK) {
    const std::string_view why = without_line_end(libpq->error_message(connection));
    return Error{code_of_refusal(why), fmt::format("PostgreSQL cannot be reached: {}", why)};
  }
  libpq->set_nonblocking(connection, 1);
  libpq->set_notice_receiver(
      connection,
      [](void* shared, const pg_result* result) {
        const auto loaded = logwood::libpq();
        const char* const severity =
            loaded ? (*loaded)->result_error_field(result, PG_DIAG_SEVERITY_NONLOCALIZED) : nullptr;
        if (severity != nullptr && std::strcmp(severity, "WARNING") == 0) {
          static_cast<Shared*>(shared)->warned = true;
        }
      },
      made.shared_.get());
  if (!options.through_pooler && !options.settings.empty()) {
    const PgStatement set{"", options.settings.c_str()};
    LOGWOOD_CHECK(made.run(set, {}, deadline));
  }
  return made;
}

Error PgConnection::lost() {
  is_broken_ = true;
  return {ErrorCode::unavailable,
          fmt::format("the connection to PostgreSQL was lost: {}",
                      without_line_end(libpq_->error_message(connection_.get())))};
}

Error PgConnection::error_of(const pg_result* result) {
  const auto field = [&](int which) -> std::string_view {
    const char* const text = libpq_->result_error_field(result, which);
    return text == nullptr ? "" : text;
  };
  const std::string_view state = field(PG_DIAG_SQLSTATE);
  if (state.empty()) return lost();
  std::string message = fmt::format("PostgreSQL says: {}", field(PG_DIAG_MESSAGE_PRIMARY));
  if (const std::string_view detail = field(PG_DIAG_MESSAGE_DETAIL);
      !detail.empty() && state != "23505") {  // which would show values
    message += fmt::format(" ({})", detail);
  }
  message += fmt::format(" [{}]", state);
  return {code_of(state), std::move(message)};
}

// Until the next result is there, all that was to be sent is sent, and no later than the deadline.
// A connection on which something is still going on is not used again, and never cancelled: a
// commit that is cancelled looks like one that was made.
Result<> PgConnection::wait(Deadline deadline) {
  pg_conn* const connection = connection_.get();
  while (true) {
    const int unsent = libpq_->flush(connection);
    if (unsent < 0) return lost();
    if (unsent == 0 && libpq_->is_busy(connection) == 0) return {};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    constexpr std::int64_t longest = 1'000'000'000;
    pollfd events{libpq_->socket(connection),
                  static_cast<short>(POLLIN | (unsent == 1 ? POLLOUT : 0)), 0};
    const int ready =
        poll(&events, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, longest)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      is_broken_ = true;
      return Error{ErrorCode::unavailable, "PostgreSQL did not answer in time"};
    }
    if ((events.revents & (POLLIN | POLLHUP | POLLERR)) != 0 &&
        libpq_->consume_input(connection) == 0) {
      return lost();
    }
  }
}

// Empty when there is no further one.
Result<PgRows> PgConnection::next_result(Deadline deadline) {
  LOGWOOD_CHECK(wait(deadline));
  return PgRows(*libpq_, libpq_->get_result(connection_.get()));
}

// Takes what a statement returns, to its end; the last result with rows, or the first error.
Result<PgRows> PgConnection::last_result(Deadline deadline, const Streaming* streaming) {
  PgRows last;
  std::optional<Error> failure;
  bool wants_more = true;
  while (true) {
    LOGWOOD_TRY(PgRows result, next_result(deadline));
    if (!result.result_) break;
    switch (libpq_->result_status(result.result_.get())) {
      case PGRES_SINGLE_TUPLE:
        if (streaming == nullptr) break;
        deadline = std::chrono::steady_clock::now() + streaming->patience;
        if (!wants_more || failure) break;
        if (auto wants = streaming->visit(result); !wants) {
          failure = std::move(wants).error();
        } else {
          wants_more = *wants;
        }
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
        last = std::move(result);
        break;
      case PGRES_PIPELINE_ABORTED:
        break;
      default:
        if (!failure) failure = error_of(result.result_.get());
        if (libpq_->status(connection_.get()) != CONNECTION_OK) is_broken_ = true;
    }
  }
  if (failure) return *std::move(failure);
  return last;
}

Result<> PgConnection::prepare(const PgStatement& statement, Deadline deadline) {
  if (statement.name[0] == '\0' || prepared_.contains(statement.name)) return {};
  if (libpq_->send_prepare(connection_.get(), statement.name, statement.sql, 0, nullptr) == 0) {
    return lost();
  }
  LOGWOOD_CHECK(last_result(deadline, nullptr));
  prepared_.insert(statement.name);
  return {};
}

Result<> PgConnection::send(const PgStatement& statement, const PgValues& values) {
  constexpr std::size_t some = 24;
  std::vector<const char*> pointers;
  std::vector<int> lengths;
  pointers.reserve(some);
  lengths.reserve(some);
  for (const PgValues::Value& value : values.values_) {
    const std::string_view bytes = value.is_owned ? std::string_view(value.owned) : value.borrowed;
    pointers.push_back(value.is_null ? nullptr : bytes.data());
    lengths.push_back(static_cast<int>(bytes.size()));
  }
  const std::vector<int> formats(pointers.size(), binary);
  const int count = static_cast<int>(pointers.size());
  const bool by_name = statement.name[0] != '\0' && prepared_.contains(statement.name);
  const int sent =
      by_name ? libpq_->send_query_prepared(connection_.get(), statement.name, count,
                                            pointers.data(), lengths.data(), formats.data(), binary)
              : libpq_->send_query_params(connection_.get(), statement.sql, count, nullptr,
                                          pointers.data(), lengths.data(), formats.data(), binary);
  return sent == 0 ? Result<>(lost()) : Result<>();
}

// Steps, with the settings before them where they hold for a transaction, are one transaction and
// one round trip. Returns what the last of them did; `results` of each where somebody wants them.
Result<PgRows> PgConnection::run_in_pipeline(std::span<const Step> steps, Deadline deadline,
                                             const Streaming* streaming,
                                             std::vector<PgRows>* results) {
  pg_conn* const connection = connection_.get();
  const PgStatement set{"", options_.settings_of_transaction.c_str()};
  constexpr PgStatement nothing{"", "select"};
  const PgValues no_values;
  std::vector<Step> all;
  if (options_.through_pooler) {
    all.push_back({&set, &no_values});
  } else {
    for (const Step& step : steps) LOGWOOD_CHECK(prepare(*step.statement, deadline));
    // The first result of a pipeline comes row by row if the statement before it did (libpq 15).
    if (has_streamed_) all.push_back({&nothing, &no_values});
  }
  has_streamed_ = streaming != nullptr;
  all.insert(all.end(), steps.begin(), steps.end());
  if (libpq_->enter_pipeline_mode(connection) == 0) return lost();
  for (const Step& step : all) LOGWOOD_CHECK(send(*step.statement, *step.values));
  if (libpq_->pipeline_sync(connection) == 0) return lost();
  std::optional<Error> failure;
  PgRows last;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_last = i + 1 == all.size();
    if (is_last && streaming != nullptr) libpq_->set_single_row_mode(connection);
    auto result = last_result(deadline, is_last ? streaming : nullptr);
    if (is_broken_) return result;
    if (!result && !failure) failure = std::move(result).error();
    if (!result || failure) continue;
    if (results != nullptr && i >= all.size() - steps.size()) {
      results->push_back(*std::move(result));
    } else {
      last = *std::move(result);
    }
  }
  LOGWOOD_CHECK(next_result(deadline));  // the sync
  if (libpq_->exit_pipeline_mode(connection) == 0) return lost();
  if (failure) return *std::move(failure);
  return last;
}

Result<PgConnection::Two> PgConnection::run_both(const PgStatement& first,
                                                 const PgValues& first_values,
                                                 const PgStatement& second,
                                                 const PgValues& second_values, Deadline deadline) {
  if (is_broken_) return Error{ErrorCode::unavailable, "the connection to PostgreSQL was lost"};
  const Step steps[] = {{&first, &first_values}, {&second, &second_values}};
  std::vector<PgRows> results;
  LOGWOOD_CHECK(run_in_pipeline(steps, deadline, nullptr, &results));
  return Two{std::move(results[0]), std::move(results[1])};
}

Result<> PgConnection::ask(const PgStatement& statement, const PgValues& values,
                           Deadline deadline) {
  if (is_broken_) return Error{ErrorCode::unavailable, "the connection to PostgreSQL was lost"};
  LOGWOOD_CHECK(prepare(statement, deadline));
  LOGWOOD_CHECK(send(statement, values));
  return libpq_->flush(connection_.get()) < 0 ? Result<>(lost()) : Result<>();
}

Result<PgRows> PgConnection::run_with(const PgStatement& statement, const PgValues& values,
                                      Deadline deadline, const Streaming* streaming) {
  if (is_broken_) return Error{ErrorCode::unavailable, "the connection to PostgreSQL was lost"};
  if (options_.through_pooler && !in_transaction_) {
    const Step step{&statement, &values};
    return run_in_pipeline({&step, 1}, deadline, streaming, nullptr);
  }
  if (!options_.through_pooler) LOGWOOD_CHECK(prepare(statement, deadline));
  LOGWOOD_CHECK(send(statement, values));
  has_streamed_ = streaming != nullptr;
  if (has_streamed_) libpq_->set_single_row_mode(connection_.get());
  return last_result(deadline, streaming);
}

Result<PgRows> PgConnection::run(const PgStatement& statement, const PgValues& values,
                                 Deadline deadline) {
  return run_with(statement, values, deadline, nullptr);
}

Result<> PgConnection::stream(const PgStatement& statement, const PgValues& values,
                              std::chrono::milliseconds patience, const PgRowVisitor& visit) {
  const Streaming streaming{visit, patience};
  LOGWOOD_CHECK(
      run_with(statement, values, std::chrono::steady_clock::now() + patience, &streaming));
  return {};
}

Result<> PgConnection::script(const std::string& statements, Deadline deadline) {
  if (libpq_->send_query(connection_.get(), statements.c_str()) == 0) return lost();
  LOGWOOD_CHECK(last_result(deadline, nullptr));
  return {};
}

Result<> PgConnection::begin(Deadline deadline) {
  in_transaction_ = true;  // so that this is no transaction of its own
  LOGWOOD_CHECK(run({"", "begin"}, {}, deadline));
  if (!options_.through_pooler) return {};
  LOGWOOD_CHECK(run({"", options_.settings_of_transaction.c_str()}, {}, deadline));
  return {};
}

Result<> PgConnection::commit(Deadline deadline) {
  shared_->warned = false;
  auto done = run({"", "commit"}, {}, deadline);
  in_transaction_ = false;
  if (!done) return std::move(done).error();
  return check_not_warned();
}

// A cancelled or given up wait for a standby ends like any other commit, but for a warning.
Result<> PgConnection::check_not_warned() {
  if (!shared_->warned) return {};
  return Error{ErrorCode::unavailable,
               "the server warns that its standbys may not have what it committed"};
}

Result<PgRows> PgConnection::change(const PgStatement& statement, const PgValues& values,
                                    Deadline deadline) {
  shared_->warned = false;
  LOGWOOD_TRY(PgRows rows, run(statement, values, deadline));
  LOGWOOD_CHECK(check_not_warned());
  return rows;
}

void PgConnection::roll_back() {
  if (!in_transaction_) return;
  using namespace std::chrono_literals;
  if (!is_broken_) (void)run({"", "rollback"}, {}, std::chrono::steady_clock::now() + 2s);
  in_transaction_ = false;
}

bool PgConnection::is_reusable() const {
  return !is_broken_ && libpq_->status(connection_.get()) == CONNECTION_OK &&
         libpq_->transaction_status(connection_.get()) == PQTRANS_IDLE;
}

}  // namespace logwood
