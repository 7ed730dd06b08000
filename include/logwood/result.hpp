#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "logwood/error.hpp"

namespace logwood {

/// A value, or the Error that prevented it. Spelled like std::expected, which
/// libstdc++ 12 has neither in C++20 nor as [[nodiscard]].
template <class T = void>
class [[nodiscard]] Result {
  using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

 public:
  // Not defaulted: `return {};` would then clear the whole object first, and every
  // call that can fail returns one.
  Result()  // NOLINT(modernize-use-equals-default)
    requires std::is_void_v<T>
  {}

  template <class U = Value>
    requires(!std::is_void_v<T> && std::constructible_from<Value, U &&> &&
             !std::same_as<std::remove_cvref_t<U>, Result> &&
             !std::same_as<std::remove_cvref_t<U>, Error>)
  // NOLINTNEXTLINE(google-explicit-constructor): `return value;` is the point.
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  // NOLINTNEXTLINE(google-explicit-constructor): `return Error{…};` is the point.
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // Reading the side that is not there is a bug of the caller; std::get then
  // throws, which ends the program rather than going on with nothing.
  [[nodiscard]] Value& operator*() & { return std::get<0>(state_); }
  [[nodiscard]] const Value& operator*() const& { return std::get<0>(state_); }
  [[nodiscard]] Value&& operator*() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] Value* operator->() { return &std::get<0>(state_); }
  [[nodiscard]] const Value* operator->() const { return &std::get<0>(state_); }

  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<Value, Error> state_;
};

}  // namespace logwood

#define LOGWOOD_CONCAT_INNER(a, b) a##b
#define LOGWOOD_CONCAT(a, b) LOGWOOD_CONCAT_INNER(a, b)

/// Evaluates a Result<>; on failure returns its error from the enclosing function.
#define LOGWOOD_CHECK(expression) \
  LOGWOOD_CHECK_INNER(LOGWOOD_CONCAT(logwood_result_, __LINE__), expression)
#define LOGWOOD_CHECK_INNER(result, expression) \
  do {                                          \
    if (auto result = (expression); !result) {  \
      return std::move(result).error();         \
    }                                           \
  } while (false)

/// Declares from a Result<T>, or returns its error:
///   LOGWOOD_TRY(Entry entry, decode(line));
#define LOGWOOD_TRY(declaration, expression) \
  LOGWOOD_TRY_INNER(LOGWOOD_CONCAT(logwood_result_, __LINE__), declaration, expression)
#define LOGWOOD_TRY_INNER(result, declaration, expression) \
  auto result = (expression);                              \
  if (!result) return std::move(result).error();           \
  declaration = *std::move(result)
