#include <gtest/gtest.h>

#include "base/base64.hpp"

namespace logwood {
namespace {

TEST(Base64, ThereAndBack) {
  for (const std::string bytes : {"", "f", "fo", "foo", "foob", "fooba", "foobar"}) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
  for (const char* text :
       {"Zm9", "Zm9vYmE", "Zm9vYmF=", "Zm9v\n", " Zm9vYmE", "Zm9*", "====", "Zm9vYmE=Zm9v"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace logwood
