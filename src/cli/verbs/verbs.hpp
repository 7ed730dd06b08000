// What the verbs do; each is a row of the table in cli/verb_table.cpp.
#pragma once

#include "logwood/result.hpp"

namespace logwood::cli {

class Command;

Result<> run_new(Command& command);
Result<> run_append(Command& command);
Result<> run_ls(Command& command);
Result<> run_search(Command& command);
Result<> run_stats(Command& command);
Result<> run_set(Command& command);
Result<> run_show(Command& command);
Result<> run_tree(Command& command);
Result<> run_follow(Command& command);
Result<> run_status(Command& command);
Result<> run_context(Command& command);
Result<> run_convert(Command& command);
Result<> run_compat(Command& command);
Result<> run_head(Command& command);
Result<> run_fork(Command& command);
Result<> run_label(Command& command);
Result<> run_diff(Command& command);
Result<> run_redact(Command& command);
Result<> run_erase(Command& command);
Result<> run_rm(Command& command);
Result<> run_archive(Command& command);
Result<> run_clean(Command& command);
Result<> run_verify(Command& command);
Result<> run_migrate(Command& command);
Result<> run_export(Command& command);
Result<> run_import(Command& command);
Result<> run_continue(Command& command);
Result<> run_watch(Command& command);
Result<> run_copy(Command& command);
Result<> run_tenant(Command& command);
Result<> run_doctor(Command& command);
Result<> run_completion(Command& command);
Result<> run_help(Command& command);

/// Without a verb: the sessions of this folder, and what to type next.
Result<> run_overview(Command& command);

}  // namespace logwood::cli
