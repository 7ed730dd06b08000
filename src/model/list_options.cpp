#include "logwood/pages.hpp"
#include "model/header.hpp"

namespace logwood {

bool ListOptions::wants(const SessionHeader& header) const {
  if (!key.empty() && header.key != key) return false;
  if (!header.key.starts_with(key_prefix)) return false;
  if (!cwd.empty() && header.cwd != cwd) return false;
  if (parent && (!header.parent || header.parent->session_id != *parent)) return false;
  return !forked_from || fork_source(header) == forked_from;
}

}  // namespace logwood
