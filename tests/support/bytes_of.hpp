#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "logwood/byte_source.hpp"

namespace logwood {

/// A source of these bytes, at most `at_once` of them with each call.
inline ByteSource bytes_of(std::string bytes, std::size_t at_once = 1000) {
  // Owners: the copies of the function.
  auto rest = std::make_shared<std::string>(std::move(bytes));
  return [rest, at_once](std::span<char> into) -> Result<std::size_t> {
    const std::size_t size = std::min({into.size(), rest->size(), at_once});
    std::copy_n(rest->data(), size, into.data());
    rest->erase(0, size);
    return size;
  };
}

}  // namespace logwood
