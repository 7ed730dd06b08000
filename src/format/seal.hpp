// The seal at the end of every line (docs/format.md): it proves a line whole, in
// its batch, in its place and in its session.
//
//   BODY ,"seal":" 1 MARK . SEQ . I / N . SALT . LINK . CRC "} LF
//
// Everything here works on the bytes of one line; what lines mean together is
// decided by the fold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace logwood::format {

/// The chain value after a line: 24 bytes, spelled in base64url.
using Link = std::array<char, 32>;

/// The link before the first line.
[[nodiscard]] Link first_link();

[[nodiscard]] inline std::string_view view(const Link& link) { return {link.data(), link.size()}; }

/// A batch has at most this many lines.
inline constexpr std::uint32_t batch_lines_max = 1024;

/// Seqs have at most 15 digits.
inline constexpr std::uint64_t seq_end = 1'000'000'000'000'000;

/// A seal and the rest of its line take no more bytes than this around the body.
inline constexpr std::size_t seal_size_max = 112;

/// A line whose seal has the right form and the right CRC. The views point into
/// the line's text.
struct SealedLine {
  std::uint64_t seq = 0;
  std::uint32_t place = 0;  ///< i of i/n
  std::uint32_t count = 0;  ///< n of i/n
  bool after_sync = false;  ///< '+': the writer knew all before this batch to be durable
  bool is_tombstone = false;
  std::string_view text;  ///< the line without its LF
  std::string_view body;  ///< the entry without its closing brace
  std::string_view head;  ///< from the version to the dot after the salt
  std::string_view link;  ///< 32 characters
  Sha256 kept_digest{};   ///< of a tombstone: the digest of what it stands for

  /// The seq before this line's batch; with `count` it tells batches apart.
  [[nodiscard]] std::uint64_t base() const { return seq - place; }
};

/// The line that `text` (without LF) is, or nothing if its seal is not whole.
[[nodiscard]] std::optional<SealedLine> parse_sealed(std::string_view session_id,
                                                     std::string_view text);

/// Where a sound line ends inside `text`, when more bytes follow it: its LF was
/// lost. Looks only from the start of the text, so that an object inside a
/// payload can never be taken for a line.
[[nodiscard]] std::optional<std::size_t> sound_prefix(std::string_view session_id,
                                                      std::string_view text);

/// A valid CRC on a seal of a version that is not ours.
[[nodiscard]] bool is_newer(std::string_view session_id, std::string_view text);

/// Whether the text ends like one of our lines, under whatever member name: such
/// a line is damaged, not foreign.
[[nodiscard]] bool has_seal_shape(std::string_view text);

[[nodiscard]] Sha256 digest_of(std::string_view session_id, const SealedLine& line);
[[nodiscard]] Link link_after(std::string_view previous_link, const Sha256& digest);

/// Whether `line` is chained to the line whose link is `previous_link`.
[[nodiscard]] bool follows(std::string_view session_id, std::string_view previous_link,
                           const SealedLine& line);

/// What a batch of lines is sealed with.
struct BatchSeal {
  std::string_view session_id;
  std::uint64_t first_seq = 1;
  std::uint32_t count = 1;
  bool after_sync = true;
};

using Salt = std::array<std::uint8_t, 12>;

/// Makes line number `place` of the batch of what `out` holds from `begin` on, its
/// body: adds the seal and the LF, and moves `link` on to it.
void seal_line(std::string& out, std::size_t begin, const BatchSeal& batch, std::uint32_t place,
               const Salt& salt, Link& link);

/// The same with a body that is not in `out` yet.
inline void seal_line(std::string& out, const BatchSeal& batch, std::uint32_t place,
                      std::string_view body, const Salt& salt, Link& link) {
  const std::size_t begin = out.size();
  out += body;
  seal_line(out, begin, batch, place, salt, link);
}

}  // namespace logwood::format
