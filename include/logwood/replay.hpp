#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "logwood/entry.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// Steps along one path of a session, forwards and backwards, as it was when the replay
/// began; what was redacted by then is not shown, and hidden entries are stepped over. To go on
/// differently from where it stands, move the head there. It may outlive the Store that made it.
class Replay {
 public:
  using Predicate = std::function<bool(const Entry&)>;

  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;
  ~Replay();

  /// The entry it stands at; nothing before the first step.
  [[nodiscard]] const std::optional<Entry>& current() const;

  [[nodiscard]] std::size_t length() const;    ///< entries of the path
  [[nodiscard]] std::size_t position() const;  ///< of the current one, from 1; 0: before the first

  /// One step. False when there is none, and it stays where it is.
  Result<bool> forward();
  Result<bool> back();

  /// Steps until an entry fits. False when none does: it then stands at the end, or
  /// before the first.
  Result<bool> forward_to(const Predicate& fits);
  Result<bool> back_to(const Predicate& fits);

 private:
  friend class Store;
  class Inside;
  explicit Replay(std::unique_ptr<Inside> inside);
  Result<bool> step(bool forwards);
  std::unique_ptr<Inside> inside_;
};

/// Messages that hold the result of a tool that failed.
[[nodiscard]] Replay::Predicate failed_tool_result();
[[nodiscard]] Replay::Predicate of_type(std::string type);
/// Entries whose timestamp is this one or later.
[[nodiscard]] Replay::Predicate not_before(std::string timestamp);

}  // namespace logwood
