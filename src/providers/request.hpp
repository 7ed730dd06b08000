// Between what callers name and what the readers and writers of requests know.
#pragma once

#include "logwood/request.hpp"
#include "providers/models.hpp"
#include "providers/report.hpp"
#include "providers/target.hpp"

namespace logwood::providers {

/// Who a request is for, and what that model can do.
Result<Target> target_of(const ModelRef& model, const Models& models);

[[nodiscard]] Compatibility told(const Report& report);

}  // namespace logwood::providers
