#include "format/seal.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>

#include "base/base64url.hpp"
#include "base/crc32c.hpp"
#include "base/seeded_bugs.hpp"

namespace logwood::format {
namespace {

constexpr std::string_view seal_name = R"(,"seal":")";
constexpr std::string_view digest_name = R"(,"digest":")";
constexpr std::size_t link_size = 32;
constexpr std::size_t salt_size = 16;
constexpr std::size_t crc_size = 8;
constexpr std::size_t crc_and_end = crc_size + 2;  // CRC, quote, brace

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr auto lower_hex = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("0123456789abcdef"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

bool all_lower_hex(std::string_view text) {
  bool all = true;
  for (const char c : text) {
    all &= lower_hex[static_cast<unsigned char>(c)] ||
           (c >= 'A' && c <= 'F' && LOGWOOD_SEEDED(crc_by_value));
  }
  return all;
}

// Reads a seal from left to right. Text is compared, not values: a leading zero
// or an upper-case digit is no seal.
class SealText {
 public:
  explicit SealText(std::string_view text) : rest_(text) {}

  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool mark(bool& after_sync) {
    if (rest_.empty() || (rest_[0] != '+' && rest_[0] != '~')) return false;
    after_sync = rest_[0] == '+';
    rest_.remove_prefix(1);
    return true;
  }

  template <class Number>
  bool number(Number& value, std::size_t digits_max) {
    std::size_t digits = 0;
    while (digits < rest_.size() && digits <= digits_max && is_digit(rest_[digits])) ++digits;
    if (digits == 0 || digits > digits_max || rest_[0] == '0') return false;
    std::from_chars(rest_.data(), rest_.data() + digits, value);
    rest_.remove_prefix(digits);
    return true;
  }

  bool salt(bool& is_tombstone) {
    is_tombstone = rest_.starts_with("x.");
    const std::size_t size = is_tombstone ? 1 : salt_size;
    if (rest_.size() < size || !is_base64url(rest_.substr(0, size))) return false;
    rest_.remove_prefix(size);
    return true;
  }

  bool link(std::string_view& value) {
    if (rest_.size() < link_size || !is_base64url(rest_.substr(0, link_size))) return false;
    value = rest_.substr(0, link_size);
    rest_.remove_prefix(link_size);
    return true;
  }

  bool crc() {
    if (rest_.size() < crc_size || !all_lower_hex(rest_.substr(0, crc_size))) return false;
    rest_.remove_prefix(crc_size);
    return true;
  }

  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// Matches a whole seal member that begins at `start` (the comma before its
// name). Returns where it ends; fills everything but the text-wide views.
std::optional<std::size_t> match_seal(std::string_view text, std::size_t start, SealedLine& line) {
  SealText seal(text.substr(start + seal_name.size()));
  const std::size_t head_begin = start + seal_name.size();
  if (!seal.skip('1') || !seal.mark(line.after_sync) || !seal.skip('.') ||
      !seal.number(line.seq, 15) || !seal.skip('.') || !seal.number(line.place, 4) ||
      !seal.skip('/') || !seal.number(line.count, 4) || !seal.skip('.') ||
      !seal.salt(line.is_tombstone) || !seal.skip('.')) {
    return std::nullopt;
  }
  const std::size_t head_end = text.size() - seal.rest().size();
  if (!seal.link(line.link) || !seal.skip('.') || !seal.crc() || !seal.skip('"') ||
      !seal.skip('}')) {
    return std::nullopt;
  }
  line.head = text.substr(head_begin, head_end - head_begin);
  line.body = text.substr(0, start);
  const std::size_t end = text.size() - seal.rest().size();
  line.text = text.substr(0, end);
  return end;
}

// The rules a seal must keep beyond its spelling and its CRC.
bool is_consistent(SealedLine& line) {
  if (line.place > line.count || line.count > batch_lines_max || line.seq < line.place)
    return false;
  if (!line.is_tombstone) return true;
  constexpr std::size_t tail_size = digest_name.size() + 64 + 1;
  if (line.body.size() < tail_size) return false;
  const std::string_view tail = line.body.substr(line.body.size() - tail_size);
  return tail.starts_with(digest_name) && tail.ends_with('"') &&
         from_hex(tail.substr(digest_name.size(), 64), line.kept_digest);
}

Crc32c crc_of(std::string_view session_id) {
  Crc32c crc;
  crc.add(session_id).add("\n");
  return crc;
}

void put_hex(char* at, std::uint32_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (int i = 7; i >= 0; --i) {
    at[i] = digits[value & 15U];
    value >>= 4U;
  }
}

bool crc_matches(const Crc32c& crc, std::string_view spelled) {
  if (LOGWOOD_SEEDED(crc_by_value)) {
    std::uint32_t value = 0;
    std::from_chars(spelled.data(), spelled.data() + spelled.size(), value, 16);
    return value == crc.value();
  }
  std::array<char, crc_size> expected{};
  put_hex(expected.data(), crc.value());
  return LOGWOOD_SEEDED(crc_ignored) || spelled == std::string_view(expected.data(), crc_size);
}

}  // namespace

Link first_link() {
  Link link;
  link.fill('A');
  return link;
}

std::optional<SealedLine> parse_sealed(std::string_view session_id, std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with("\"}")) return std::nullopt;
  // No quote occurs inside a seal, so the last but one quote of the line opens
  // it, and only a window at the end has to be searched: not its end, which any seal
  // fills, and where a quote would not match.
  constexpr std::size_t shortest_end = 1 + 1 + link_size + 1 + crc_and_end;  // x . LINK . CRC "}
  const std::size_t window = std::min(text.size(), std::size_t{120});
  if (window < shortest_end) return std::nullopt;
  const std::size_t open = text.substr(text.size() - window, window - shortest_end).rfind('"');
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t quote = text.size() - window + open;
  if (quote + 1 < seal_name.size()) return std::nullopt;
  const std::size_t start = quote + 1 - seal_name.size();
  if (text.substr(start, seal_name.size()) != seal_name) return std::nullopt;

  SealedLine line;
  if (match_seal(text, start, line) != text.size()) return std::nullopt;
  const std::string_view covered = text.substr(0, text.size() - crc_and_end);
  if (!crc_matches(crc_of(session_id).add(covered), text.substr(covered.size(), crc_size))) {
    return std::nullopt;
  }
  if (!is_consistent(line)) return std::nullopt;
  return line;
}

std::optional<std::size_t> sound_prefix(std::string_view session_id, std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  // One pass: the CRC runs along from candidate to candidate.
  Crc32c crc = crc_of(session_id);
  std::size_t covered = 0;
  std::size_t from = 0;
  while (true) {
    const std::size_t start = text.find(seal_name, from);
    if (start == std::string_view::npos) return std::nullopt;
    from = start + 1;
    SealedLine line;
    const auto end = match_seal(text, start, line);
    if (!end) continue;
    from = *end;
    crc.add(text.substr(covered, *end - crc_and_end - covered));
    covered = *end - crc_and_end;
    if (*end == text.size()) return std::nullopt;
    if (crc_matches(crc, text.substr(covered, crc_size)) && is_consistent(line)) return end;
  }
}

bool is_newer(std::string_view session_id, std::string_view text) {
  if (text.size() < crc_and_end + 1 || !text.ends_with("\"}")) return false;
  const std::string_view covered = text.substr(0, text.size() - crc_and_end);
  const std::string_view crc = text.substr(covered.size(), crc_size);
  const std::size_t open = covered.find_last_of("\"\\");
  if (!covered.ends_with('.') || !all_lower_hex(crc) || open == std::string_view::npos)
    return false;
  if (!covered.substr(0, open + 1).ends_with(seal_name)) return false;
  const std::string_view inside = covered.substr(open + 1);
  std::size_t digits = 0;
  while (digits < inside.size() && is_digit(inside[digits])) ++digits;
  if (digits == 0 || inside[0] == '0' || inside.substr(0, digits) == "1") return false;
  return crc_matches(crc_of(session_id).add(covered), crc);
}

bool has_seal_shape(std::string_view text) {
  constexpr std::string_view space = " \t\n\r\f\v";
  const auto drop_space = [&] {
    const std::size_t last = text.find_last_not_of(space);
    text = last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
  };
  drop_space();
  if (!text.ends_with('}')) return false;
  text.remove_suffix(1);
  drop_space();
  if (!text.ends_with('"')) return false;
  text.remove_suffix(1);
  const std::size_t open = text.rfind('"');
  if (open == std::string_view::npos) return false;
  const std::string_view inside = text.substr(open + 1);

  const auto number = [](std::string_view& rest) {
    std::size_t digits = 0;
    while (digits < rest.size() && is_digit(rest[digits])) ++digits;
    rest.remove_prefix(digits);
    return digits > 0;
  };
  const auto skip = [](std::string_view& rest, char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  };
  for (std::size_t at = 0; at <= 3 && at < inside.size(); ++at) {
    if (inside[at] != '+' && inside[at] != '~') continue;
    std::string_view rest = inside.substr(at + 1);
    if (skip(rest, '.') && number(rest) && skip(rest, '.') && number(rest) && skip(rest, '/') &&
        number(rest) && skip(rest, '.')) {
      return true;
    }
  }
  return false;
}

Sha256 digest_of(std::string_view session_id, const SealedLine& line) {
  if (line.is_tombstone) return line.kept_digest;
  return sha256({"logwood-line\n", session_id, "\n", line.head, line.body});
}

Link link_after(std::string_view previous_link, const Sha256& digest) {
  const Sha256 full = sha256({"logwood-link\n", previous_link, as_bytes(digest)});
  Link link;
  to_base64url(std::span(full).first<24>(), link.data());
  return link;
}

bool follows(std::string_view session_id, std::string_view previous_link, const SealedLine& line) {
  return view(link_after(previous_link, digest_of(session_id, line))) == line.link;
}

void seal_line(std::string& out, std::size_t begin, const BatchSeal& batch, std::uint32_t place,
               const Salt& salt, Link& link) {
  const std::size_t body_size = out.size() - begin;
  assert(body_size > 0 && out[begin] == '{' && place >= 1 && place <= batch.count);
  const std::string_view body = std::string_view(out).substr(begin, body_size);

  std::array<char, seal_size_max> seal;  // NOLINT(*-member-init): filled as far as it is read
  char* at = seal.data();
  const auto put = [&](std::string_view text) { at = std::copy(text.begin(), text.end(), at); };
  const auto put_number = [&](std::uint64_t number) {
    constexpr std::ptrdiff_t digits_max = 20;
    at = std::to_chars(at, at + digits_max, number).ptr;
  };
  put(seal_name);
  const char* const head_begin = at;
  put(batch.after_sync ? "1+." : "1~.");
  put_number(batch.first_seq + place - 1);
  put(".");
  put_number(place);
  put("/");
  put_number(batch.count);
  put(".");
  to_base64url(salt, at);
  at += salt_size;
  put(".");

  const std::string_view head(head_begin, static_cast<std::size_t>(at - head_begin));
  link = link_after(view(link), sha256({"logwood-line\n", batch.session_id, "\n", head, body}));
  put(view(link));
  put(".");
  out.append(seal.data(), at);

  constexpr std::string_view end = "\"}\n";
  std::array<char, crc_size + end.size()> spelled;  // NOLINT(*-member-init)
  put_hex(spelled.data(),
          crc_of(batch.session_id).add(std::string_view(out).substr(begin)).value());
  std::copy(end.begin(), end.end(), spelled.begin() + crc_size);
  out.append(spelled.data(), spelled.size());
}

}  // namespace logwood::format
