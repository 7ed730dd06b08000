// libpq, loaded when a program first speaks to PostgreSQL. Most programs never do: linked in, it
// and the twenty libraries behind it would double the time in which the program starts, and
// everybody would need them installed.
#pragma once

#include <libpq-fe.h>

#include "logwood/result.hpp"

namespace logwood {

/// The functions of it that we call, by their own names.
struct Libpq {
  decltype(&::PQconnectdbParams) connect = nullptr;
  decltype(&::PQfinish) finish = nullptr;
  decltype(&::PQstatus) status = nullptr;
  decltype(&::PQtransactionStatus) transaction_status = nullptr;
  decltype(&::PQerrorMessage) error_message = nullptr;
  decltype(&::PQsocket) socket = nullptr;
  decltype(&::PQsetnonblocking) set_nonblocking = nullptr;
  decltype(&::PQsetNoticeReceiver) set_notice_receiver = nullptr;
  decltype(&::PQsetSingleRowMode) set_single_row_mode = nullptr;
  decltype(&::PQsendQuery) send_query = nullptr;
  decltype(&::PQsendPrepare) send_prepare = nullptr;
  decltype(&::PQsendQueryParams) send_query_params = nullptr;
  decltype(&::PQsendQueryPrepared) send_query_prepared = nullptr;
  decltype(&::PQenterPipelineMode) enter_pipeline_mode = nullptr;
  decltype(&::PQexitPipelineMode) exit_pipeline_mode = nullptr;
  decltype(&::PQpipelineSync) pipeline_sync = nullptr;
  decltype(&::PQflush) flush = nullptr;
  decltype(&::PQconsumeInput) consume_input = nullptr;
  decltype(&::PQisBusy) is_busy = nullptr;
  decltype(&::PQgetResult) get_result = nullptr;
  decltype(&::PQresultStatus) result_status = nullptr;
  decltype(&::PQresultErrorField) result_error_field = nullptr;
  decltype(&::PQclear) clear = nullptr;
  decltype(&::PQntuples) row_count = nullptr;
  decltype(&::PQgetvalue) value = nullptr;
  decltype(&::PQgetlength) length = nullptr;
  decltype(&::PQgetisnull) is_null = nullptr;
  decltype(&::PQcmdTuples) command_tuples = nullptr;
};

/// An error says what has to be installed.
Result<const Libpq*> libpq();

}  // namespace logwood
