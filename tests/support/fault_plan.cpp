#include "support/fault_plan.hpp"

#include <numeric>

#include "io/system_error.hpp"

namespace logwood::io {
namespace {

constexpr std::array<std::string_view, operations> names{
    "open",    "create", "status",   "rename",   "remove", "make_folder", "sync_folder", "list",
    "read_at", "append", "write_at", "truncate", "sync",   "file_status", "lock"};

}  // namespace

std::string_view name_of(Operation operation) { return names[static_cast<std::size_t>(operation)]; }

void FaultPlan::plan(const Fault& fault) {
  clear();
  plan_also(fault);
}

void FaultPlan::plan_also(const Fault& fault) {
  const std::lock_guard guard(mutex_);
  planned_.push_back({fault, 0});
}

void FaultPlan::clear() {
  const std::lock_guard guard(mutex_);
  planned_.clear();
}

std::optional<Fault> FaultPlan::next(Operation operation) {
  const std::lock_guard guard(mutex_);
  ++calls_[static_cast<std::size_t>(operation)];
  std::optional<Fault> struck;
  for (auto& [fault, counted] : planned_) {
    if (fault.operation && *fault.operation != operation) continue;
    ++counted;
    const bool strikes = counted == fault.at_call || (fault.sticky && counted > fault.at_call);
    if (strikes && !struck) struck = fault;
  }
  if (struck) ++faults_[static_cast<std::size_t>(operation)];
  return struck;
}

std::uint64_t FaultPlan::calls() const {
  const std::lock_guard guard(mutex_);
  return std::accumulate(calls_.begin(), calls_.end(), std::uint64_t{0});
}

std::uint64_t FaultPlan::calls(Operation operation) const {
  const std::lock_guard guard(mutex_);
  return calls_[static_cast<std::size_t>(operation)];
}

std::uint64_t FaultPlan::faults() const {
  const std::lock_guard guard(mutex_);
  return std::accumulate(faults_.begin(), faults_.end(), std::uint64_t{0});
}

std::uint64_t FaultPlan::faults(Operation operation) const {
  const std::lock_guard guard(mutex_);
  return faults_[static_cast<std::size_t>(operation)];
}

Error error_of(const Fault& fault, Operation operation, std::string_view name) {
  return system_error(fault.error_number, name_of(operation), name);
}

}  // namespace logwood::io
