#include "base/base64url.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>

namespace logwood {
namespace {

constexpr auto allowed = [] {
  std::array<bool, 256> table{};
  for (const char c : base64url_alphabet) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

#ifdef __SSE2__
// Sixteen characters at once: every line that is read has a link to be looked at.
bool are_base64url(const char* sixteen) {
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen));
  const auto between = [](__m128i bytes, char first, char last) {
    return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(static_cast<char>(first - 1))),
                         _mm_cmplt_epi8(bytes, _mm_set1_epi8(static_cast<char>(last + 1))));
  };
  // Bit 5 is all that tells upper from lower case; it makes a letter of nothing else.
  const __m128i letter = between(_mm_or_si128(text, _mm_set1_epi8(0x20)), 'a', 'z');
  const __m128i digit = between(text, '0', '9');
  const __m128i dash = _mm_cmpeq_epi8(text, _mm_set1_epi8('-'));
  const __m128i underscore = _mm_cmpeq_epi8(text, _mm_set1_epi8('_'));
  const __m128i any = _mm_or_si128(_mm_or_si128(letter, digit), _mm_or_si128(dash, underscore));
  return _mm_movemask_epi8(any) == 0xffff;
}
#endif

}  // namespace

bool is_base64url(std::string_view text) {
#ifdef __SSE2__
  for (; text.size() >= 16; text.remove_prefix(16)) {
    if (!are_base64url(text.data())) return false;
  }
#endif
  bool all = true;
  for (const char c : text) all &= allowed[static_cast<unsigned char>(c)];
  return all;
}

}  // namespace logwood
