// Long strings lie beside the session: the text that is stored keeps "" in the place of each, and
// ends with a list of what belongs there (docs/format.md, F17).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace logwood {

/// A string token of `payload` or `meta` with more bytes than this, quotes not counted, is long.
inline constexpr std::size_t string_inline_max = 64U << 10U;

/// Where a long string belongs, and what it is.
struct BlobRef {
  std::uint64_t offset = 0;  ///< in the stored text: between the two quotes
  std::uint64_t length = 0;  ///< bytes of the string as it is spelled, without its quotes
  std::string hash;          ///< SHA-256 of those bytes, in hex: the name of the blob

  bool operator==(const BlobRef&) const = default;
};

/// An entry's text in the form in which it is stored.
struct SpilledText {
  std::string body;  ///< without closing brace; empty: no string is long, the text stays as it is
  std::vector<BlobRef> refs;
  std::vector<std::string_view> strings;  ///< of each, views into what was given
};

/// Takes the long strings out. `body` is the text of an entry without its closing brace.
[[nodiscard]] SpilledText spill(std::string_view body);

/// The list at the end of a stored body; nothing when it has none.
struct BlobList {
  std::vector<BlobRef> refs;
  std::size_t begin = 0;  ///< of the list in the body, its comma included
};
[[nodiscard]] std::optional<BlobList> find_blobs(std::string_view body);

/// Whether each of them is a place of the text, in order, and what they stand for within the
/// limits of an entry. A forged list need not be.
[[nodiscard]] bool can_be_restored(std::string_view body, const BlobList& list);

/// The body as it was before `spill`. `strings` are the contents of the blobs, in order.
[[nodiscard]] std::string restored(std::string_view body, const BlobList& list,
                                   const std::vector<std::string>& strings);

/// The length of what collect_blob_names looks for.
inline constexpr std::size_t blob_name_size = 1 + 64;

/// Whatever in these bytes, of sound lines or not, may be the name of a blob: 64 hex digits after
/// a quote.
void collect_blob_names(std::string_view bytes, std::unordered_set<std::string>& names);

}  // namespace logwood
