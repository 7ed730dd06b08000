#include "base/libpq.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <optional>
#include <string>

// Nowhere in a program that is linked statically as a whole.
#pragma weak _DYNAMIC

namespace logwood {
namespace {

constexpr const char* library_name = "libpq.so.5";

struct Loaded {
  Libpq functions;
  std::optional<Error> failure;
};

Loaded load() {
  Loaded loaded;
  // It would look for the very libc it was made with, and may crash where that is another.
  if (static_cast<const void*>(_DYNAMIC) == nullptr) {
    loaded.failure = {
        ErrorCode::unsupported,
        "this program is linked statically and cannot reach PostgreSQL; use the one of "
        "the package for your system"};
    return loaded;
  }
  void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    loaded.failure = {
        ErrorCode::unsupported,
        fmt::format("PostgreSQL needs {} (Debian: apt install libpq5), which cannot be "
                    "loaded: {}",
                    library_name, dlerror())};
    return loaded;
  }
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function != nullptr || loaded.failure) return;
    loaded.failure = {
        ErrorCode::unsupported,
        fmt::format("{} has no {}: version 14 or newer is needed", library_name, name)};
  };
  Libpq& its = loaded.functions;
  find(its.connect, "PQconnectdbParams");
  find(its.finish, "PQfinish");
  find(its.status, "PQstatus");
  find(its.transaction_status, "PQtransactionStatus");
  find(its.error_message, "PQerrorMessage");
  find(its.socket, "PQsocket");
  find(its.set_nonblocking, "PQsetnonblocking");
  find(its.set_notice_receiver, "PQsetNoticeReceiver");
  find(its.set_single_row_mode, "PQsetSingleRowMode");
  find(its.send_query, "PQsendQuery");
  find(its.send_prepare, "PQsendPrepare");
  find(its.send_query_params, "PQsendQueryParams");
  find(its.send_query_prepared, "PQsendQueryPrepared");
  find(its.enter_pipeline_mode, "PQenterPipelineMode");
  find(its.exit_pipeline_mode, "PQexitPipelineMode");
  find(its.pipeline_sync, "PQpipelineSync");
  find(its.flush, "PQflush");
  find(its.consume_input, "PQconsumeInput");
  find(its.is_busy, "PQisBusy");
  find(its.get_result, "PQgetResult");
  find(its.result_status, "PQresultStatus");
  find(its.result_error_field, "PQresultErrorField");
  find(its.clear, "PQclear");
  find(its.row_count, "PQntuples");
  find(its.value, "PQgetvalue");
  find(its.length, "PQgetlength");
  find(its.is_null, "PQgetisnull");
  find(its.command_tuples, "PQcmdTuples");
  return loaded;
}

}  // namespace

Result<const Libpq*> libpq() {
  static const Loaded loaded = load();
  if (loaded.failure) return *loaded.failure;
  return &loaded.functions;
}

}  // namespace logwood
