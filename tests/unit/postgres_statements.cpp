// Every statement carries the tenant, and no other place has statements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

using ::testing::HasSubstr;

std::size_t count_of(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {}));
}

// What reads or changes rows of a table; functions fix the tenant themselves.
constexpr const char* table = R"((from|join|using|update) logwood\.[a-z_]+\b(?!\())";

TEST(PostgresStatements, EveryTableIsHeldToTheTenant) {
  for (const PgStatement& statement : statements()) {
    const std::string sql = statement.sql;
    const std::size_t inserts =
        count_of(sql, R"(insert into logwood\.[a-z_]+ (as [a-z] )?\(tenant, )");
    const std::size_t filled = count_of(sql, R"((select|values \() ?\$1(::integer)?, )");
    EXPECT_EQ(inserts, count_of(sql, "insert into")) << statement.name;
    EXPECT_GE(filled, inserts) << statement.name << ": a row for somebody else";
    EXPECT_GE(count_of(sql, R"(tenant = \$1)"), count_of(sql, table))
        << statement.name << ": " << sql;
    EXPECT_THAT(sql, HasSubstr("$1")) << statement.name;
  }
}

TEST(PostgresStatements, NamesAreTheirOwn) {
  std::set<std::string> names;
  for (const PgStatement& statement : statements()) {
    EXPECT_TRUE(names.insert(statement.name).second) << statement.name;
  }
}

// The owner's work has its own file; finding the tenant comes before there is one.
TEST(PostgresStatements, NoOtherPlaceHasAny) {
  const std::set<std::string> allowed{"statements.hpp", "catalog_statements.hpp", "migrations.cpp",
                                      "tenants.cpp", "database.cpp"};
  for (const auto& file :
       std::filesystem::directory_iterator(LOGWOOD_SOURCE_FOLDER "/src/storage/postgres")) {
    if (allowed.contains(file.path().filename().string())) continue;
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(
        count_of(text,
                 R"re("(select |insert into |update logwood|delete from |with [a-z]+ as ))re"),
        0U)
        << file.path().filename();
  }
}

}  // namespace
}  // namespace logwood::storage::postgres
