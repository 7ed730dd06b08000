// What models can do: a table of ours, and of the user, whose rows come later and so win.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logwood/result.hpp"
#include "providers/canonical_names.hpp"
#include "providers/target.hpp"

namespace logwood::providers {

class Models {
 public:
  /// What we know.
  Models();

  /// Adds rows: a JSON array of objects `{"match": "API:MODEL", …}` in which `*`, `?` and `[…]`
  /// stand for what they stand for in file names. A row says only what it changes.
  Result<> add(std::string_view json);

  /// By all rows that match, in order.
  [[nodiscard]] Capabilities of(Api api, std::string_view model) const;

 private:
  struct Row {
    std::string match;
    std::string changes;  // JSON
  };
  std::vector<Row> rows_;
};

}  // namespace logwood::providers
