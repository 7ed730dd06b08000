#include <gtest/gtest.h>

#include <string>

#include "model/entry_fields.hpp"

namespace logwood {
namespace {

TEST(EntryFields, AreFoundAsTokensInTheText) {
  const std::string_view text =
      R"( {"id":"a","parentId":null,"type":"m","timestamp":"t","runId":"r","payload":{},"meta":{},"erased":"e","digest":"d","x":1})";
  const EntryFields fields = find_fields(text);
  EXPECT_TRUE(fields.json);
  EXPECT_TRUE(fields.is_object);
  EXPECT_EQ(fields.id, "\"a\"");
  EXPECT_EQ(fields.parent_id, "null");
  EXPECT_EQ(fields.type, "\"m\"");
  EXPECT_EQ(fields.timestamp, "\"t\"");
  EXPECT_EQ(fields.run_id, "\"r\"");
  EXPECT_EQ(fields.payload, "{}");
  EXPECT_EQ(fields.meta, "{}");
  EXPECT_EQ(fields.erased, "\"e\"");
  EXPECT_EQ(fields.digest, "\"d\"");
  EXPECT_EQ(fields.reserved, "erased");
  EXPECT_EQ(fields.repeated, "");
}

TEST(EntryFields, NameTheFirstRepeatedMemberAndTheFirstReservedOne) {
  const EntryFields fields =
      find_fields(R"({"seal":1,"type":"m","id":"a","blobs":2,"type":"n","id":"b"})");
  EXPECT_EQ(fields.repeated, "type");
  EXPECT_EQ(fields.reserved, "seal");
  EXPECT_EQ(fields.id, "\"b\"");
}

TEST(EntryFields, OfWhatIsNoObjectAreEmpty) {
  for (const char* text : {"", "  ", "7", "[{\"id\":\"a\"}]"}) {
    const EntryFields fields = find_fields(text);
    EXPECT_FALSE(fields.is_object) << text;
    EXPECT_EQ(fields.id, "") << text;
  }
}

TEST(EntryFields, TakeAnIdOnlyInPlainSpelling) {
  EXPECT_EQ(id_in("\"a-b_c\""), "a-b_c");
  for (const char* token :
       {"", "\"\"", "a", "\"a", "a\"\"", "7", "null", "\"\\u0061\"", "\"a b\"", "{\"a\":\"b\"}"}) {
    EXPECT_EQ(id_in(token), std::nullopt) << token;
  }
}

TEST(EntryPlace, IsFoundAtTheFrontOfWhatWeWrite) {
  const EntryPlace tree =
      find_place(R"({"id":"a","parentId":"p","timestamp":"t","type":"m","payload":{}})");
  EXPECT_EQ(tree.id, "a");
  EXPECT_EQ(tree.parent_id, "p");
  EXPECT_EQ(tree.kind, EntryKind::tree);
  EXPECT_FALSE(tree.moves_head);

  const EntryPlace head = find_place(R"({"id":"h","parentId":null,"type":"head","payload":{}})");
  EXPECT_EQ(head.id, "h");
  EXPECT_EQ(head.parent_id, "");
  EXPECT_EQ(head.kind, EntryKind::mark);
  EXPECT_TRUE(head.moves_head);
}

TEST(EntryPlace, IsFoundAnywhereElseToo) {
  for (const char* text :
       {R"({"type":"label","payload":{},"id":"a","parentId":null})",
        R"({ "id":"a","parentId":null,"timestamp":"t","type":"label"})",
        R"({"id":"a","type":"label"})", R"({"id":"a","parentId":null,"type":"l\u0061bel"})",
        R"({"id":"a","parentId":null,"timestamp":"\u0074","type":"label"})",
        R"({"id":"a","parentId":null,"timestamp":"t","runId":"r","type":"label"})",
        R"({"id":"a","parentId": null,"type":"label"})", R"({"\u0069d":"a","type":"label"})"}) {
    const EntryPlace place = find_place(text);
    EXPECT_EQ(place.id, "a") << text;
    EXPECT_EQ(place.parent_id, "") << text;
    EXPECT_EQ(place.kind, EntryKind::mark) << text;
    EXPECT_FALSE(place.moves_head) << text;
  }
  EXPECT_EQ(find_place(R"({"id":"a","parentId":"p\u0071","type":"m"})").parent_id, "");
}

TEST(EntryPlace, IsEmptyForWhatIsNoEntry) {
  for (const char* text :
       {"", "{", R"({"id":"a)", R"({"id":"a","parentId":"p)", R"({"id":"a","parentId":7,"type":"m)",
        R"({"id":"a","parentId":null,"timestamp":"t)", R"({"id":"a","parentId":null,"type":"m)",
        R"({"id":"a b","parentId":null,"type":"m"})", R"({"type":"m"})", R"({"id":"a"})",
        R"({"id":"a","type":7})"}) {
    EXPECT_EQ(find_place(text).id, "") << text;
  }
}

}  // namespace
}  // namespace logwood
