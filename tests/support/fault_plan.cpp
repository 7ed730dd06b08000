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
  const std::lock_guard guard(mutex_);
  fault_ = fault;
  counted_ = 0;
}

void FaultPlan::clear() {
  const std::lock_guard guard(mutex_);
  fault_.reset();
}

std::optional<Fault> FaultPlan::next(Operation operation) {
  const std::lock_guard guard(mutex_);
  ++calls_[static_cast<std::size_t>(operation)];
  if (!fault_ || (fault_->operation && *fault_->operation != operation)) return std::nullopt;
  ++counted_;
  if (counted_ < fault_->at_call) return std::nullopt;
  if (counted_ > fault_->at_call && !fault_->sticky) return std::nullopt;
  ++faults_;
  return fault_;
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
  return faults_;
}

Error error_of(const Fault& fault, Operation operation, std::string_view name) {
  return system_error(fault.error_number, name_of(operation), name);
}

}  // namespace logwood::io
