#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "logwood/error.hpp"
#include "logwood/result.hpp"

namespace logwood {
namespace {

constexpr ErrorCode all_codes[] = {
    ErrorCode::invalid_argument, ErrorCode::not_found,         ErrorCode::already_exists,
    ErrorCode::conflict,         ErrorCode::id_conflict,       ErrorCode::damaged,
    ErrorCode::unsupported,      ErrorCode::permission_denied, ErrorCode::busy,
    ErrorCode::no_space,         ErrorCode::unavailable,       ErrorCode::durability_unknown,
    ErrorCode::internal,
};

Result<int> half(int number) {
  if (number % 2 != 0) return Error{ErrorCode::invalid_argument, "the number is odd"};
  return number / 2;
}

Result<int> quarter(int number) {
  LOGWOOD_TRY(const int halved, half(number));
  LOGWOOD_TRY(const int again, half(halved));
  return again;
}

Result<> check_even(int number) {
  LOGWOOD_CHECK(half(number));
  return {};
}

TEST(Error, HasADifferentNameForEveryCode) {
  std::set<std::string_view> names;
  for (const ErrorCode code : all_codes) names.insert(name_of(code));
  EXPECT_EQ(names.size(), std::size(all_codes));
  EXPECT_EQ(name_of(ErrorCode::durability_unknown), "durability_unknown");
  EXPECT_EQ(name_of(ErrorCode::id_conflict), "id_conflict");
}

TEST(Error, ReadsFromTheOutsideIn) {
  const Error error =
      Error{ErrorCode::damaged, "the checksum does not match"}.within("line 17").within(
          "session s");
  EXPECT_EQ(error.message, "session s: line 17: the checksum does not match");
  EXPECT_EQ(error.code, ErrorCode::damaged);
  EXPECT_EQ(error.actual_tail, std::nullopt);
}

TEST(Result, IsAValueOrAnError) {
  const Result<int> good = half(4);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(*good, 2);
  const Result<int> bad = half(3);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::invalid_argument);
}

TEST(Result, PassesTheFirstErrorOn) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(6).error().message, "the number is odd");
  EXPECT_FALSE(quarter(5));
  EXPECT_TRUE(check_even(2));
  EXPECT_EQ(check_even(1).error().message, "the number is odd");
}

TEST(Result, HandsOverWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
  EXPECT_EQ(**made, 7);
  EXPECT_EQ(*made->get(), 7);
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 7);
  Result<std::string> text = "made from something else";
  EXPECT_EQ(text->size(), 24U);
  const Error error = Result<std::string>(Error{ErrorCode::busy, "no"}).error();
  EXPECT_EQ(error.code, ErrorCode::busy);
}

TEST(Result, EndsTheProgramWhenTheWrongSideIsRead) {
  const Result<int> bad = half(3);
  EXPECT_THROW((void)*bad, std::bad_variant_access);
  const Result<int> good = half(2);
  EXPECT_THROW((void)good.error(), std::bad_variant_access);
}

}  // namespace
}  // namespace logwood
