#include "logwood/pages.hpp"

namespace logwood {

bool ListOptions::wants(const SessionHeader& header) const {
  if (!key.empty() && header.key != key) return false;
  if (!cwd.empty() && header.cwd != cwd) return false;
  if (parent && (!header.parent || header.parent->session_id != *parent)) return false;
  if (!forked_from) return true;
  return header.origin && header.origin->agent == fork_agent &&
         header.origin->session_id == forked_from->text;
}

}  // namespace logwood
