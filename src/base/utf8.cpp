// The one file that knows simdjson, for the one thing it does unbeaten: it
// checks several gigabytes of UTF-8 a second. Its parsers refuse or change JSON
// that we must keep (docs/decisions/0002), so they are not used.
#include "base/utf8.hpp"

#include <simdjson.h>

namespace logwood {

bool is_utf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

}  // namespace logwood
