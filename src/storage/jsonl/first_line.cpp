#include "storage/jsonl/first_line.hpp"

#include <fmt/format.h>

#include "format/line_reader.hpp"
#include "format/seal.hpp"
#include "model/entry_fields.hpp"
#include "model/header.hpp"
#include "storage/jsonl/forward_walk.hpp"

namespace logwood::storage::jsonl {
namespace {

// An unsealed header of version 0.
bool take_unsealed(FirstLine& first, std::string_view text) {
  if (!find_fields(text).reserved.empty()) return false;
  auto header = parse_header(text);
  if (!header || header->version != 0) return false;
  first.unsealed = true;
  first.read_only = "the session has format version 0 and is read-only; migrate it first";
  if (header->id.text != first.session_id) {
    first.renamed = true;
    first.read_only = fmt::format("the file holds session {} under another name; rename it back",
                                  header->id.text);
  }
  first.header = *std::move(header);
  return true;
}

void take_sealed(FirstLine& first, const format::SealedLine& line) {
  const auto header = parse_header(std::string(line.body) + '}');
  if (!header) return;
  first.header = *header;
  first.read_only = limits_in_header(*header);
}

}  // namespace

SessionHeader FirstLine::header_or_name() const {
  if (header) return *header;
  SessionHeader unknown;
  unknown.id = {session_id};
  return unknown;
}

Result<FirstLine> read_first_line(const io::File& file, const SessionId& name) {
  format::LineReader reader(reader_of(file), {});
  LOGWOOD_TRY(const std::optional<format::PhysicalLine> line, reader.next());
  FirstLine first;
  first.session_id = name.text;
  if (!line || line->oversize) return first;
  if (const auto sealed = format::parse_sealed(name.text, line->text)) {
    take_sealed(first, *sealed);
    return first;
  }
  const auto inside = id_in(find_fields(line->text).id);
  if (inside && *inside != name.text) {
    if (const auto sealed = format::parse_sealed(*inside, line->text)) {
      first.session_id = *inside;
      first.renamed = true;
      take_sealed(first, *sealed);
      first.read_only =
          fmt::format("the file holds session {} under another name; rename it back", *inside);
      return first;
    }
  }
  if (line->ended) take_unsealed(first, line->text);
  return first;
}

}  // namespace logwood::storage::jsonl
