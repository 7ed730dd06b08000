#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "logwood/tree.hpp"
#include "model/tree_builder.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Given {
  std::string id;
  std::string parent;
  bool flagged = false;
};

Tree tree_of(const std::vector<Given>& entries) {
  TreeBuilder builder;
  std::uint64_t seq = 1;
  for (const Given& one : entries) builder.add(one.id, one.parent, "message", ++seq, one.flagged);
  return builder.finish();
}

std::vector<std::string> ids(const Tree& tree, const std::vector<Tree::Place>& places) {
  std::vector<std::string> found;
  for (const Tree::Place place : places) found.emplace_back(tree.id(place));
  return found;
}

std::vector<std::string> problems_of(const Tree& tree) {
  std::vector<std::string> found;
  for (const TreeProblem& problem : tree.problems()) {
    found.push_back(problem.entry.text + " " + std::string(name_of(problem.kind)));
  }
  return found;
}

std::string drawn(const Tree& tree, std::size_t run_max = 8, std::size_t depth_max = 60) {
  TreeDrawing drawing;
  drawing.text_of = [&](Tree::Place place) { return std::string(tree.id(place)); };
  drawing.run_max = run_max;
  drawing.depth_max = depth_max;
  return draw(tree, drawing);
}

TEST(Tree, HasPathsTipsAndBranchPoints) {
  const Tree tree = tree_of({{"1", ""}, {"2", "1"}, {"3", "2"}, {"4", "2"}, {"5", "4"}});
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("3"))), ElementsAre("1", "2", "3"));
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("5"))), ElementsAre("1", "2", "4", "5"));
  EXPECT_THAT(ids(tree, tree.roots()), ElementsAre("1"));
  EXPECT_THAT(ids(tree, tree.tips()), ElementsAre("3", "5"));
  EXPECT_THAT(ids(tree, tree.branch_points()), ElementsAre("2"));
  EXPECT_THAT(ids(tree, tree.children(*tree.find("2"))), ElementsAre("3", "4"));
  EXPECT_EQ(tree.depth(*tree.find("5")), 4U);
  EXPECT_EQ(tree.parent(*tree.find("1")), std::nullopt);
  EXPECT_EQ(tree.find("6"), std::nullopt);
  EXPECT_THAT(tree.problems(), IsEmpty());
}

TEST(Tree, HasSeveralRoots) {
  const Tree tree = tree_of({{"a", ""}, {"b", ""}, {"c", "b"}});
  EXPECT_THAT(ids(tree, tree.roots()), ElementsAre("a", "b"));
  EXPECT_EQ(drawn(tree), "├── a\n└── b\n    └── c\n");
}

TEST(Tree, OfNothingIsEmpty) {
  const Tree tree = tree_of({});
  EXPECT_EQ(tree.size(), 0U);
  EXPECT_EQ(tree.find("a"), std::nullopt);
  EXPECT_EQ(drawn(tree), "");
}

TEST(Tree, DoesNotMakeARootOfAnOrphan) {
  const Tree tree = tree_of({{"a", ""}, {"b", "lost"}, {"c", "b"}});
  EXPECT_THAT(problems_of(tree), ElementsAre("b orphan"));
  EXPECT_EQ(tree.problems()[0].parent, EntryId{"lost"});
  EXPECT_THAT(ids(tree, tree.roots()), ElementsAre("a"));
  EXPECT_THAT(ids(tree, tree.detached()), ElementsAre("b"));
  EXPECT_TRUE(tree.is_detached(*tree.find("c")));
  EXPECT_EQ(tree.depth(*tree.find("c")), 2U);
  EXPECT_EQ(drawn(tree), "└── a\ndetached:\n└── b\n    └── c\n");
}

TEST(Tree, HangsAForwardReferenceWhereItBelongsAndSaysSo) {
  const Tree tree = tree_of({{"c", "b"}, {"a", ""}, {"b", "a"}, {"d", "b"}});
  EXPECT_THAT(problems_of(tree), ElementsAre("c forward_reference"));
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("c"))), ElementsAre("a", "b", "c"));
  EXPECT_THAT(ids(tree, tree.children(*tree.find("b"))), ElementsAre("c", "d"));
  EXPECT_FALSE(tree.is_detached(*tree.find("c")));
}

TEST(Tree, CutsACycleAtItsOldestEntry) {
  const Tree tree = tree_of({{"r", ""}, {"a", "c"}, {"b", "a"}, {"c", "b"}, {"d", "c"}});
  EXPECT_THAT(problems_of(tree), ElementsAre("a forward_reference", "a cycle"));
  EXPECT_THAT(ids(tree, tree.detached()), ElementsAre("a"));
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("d"))), ElementsAre("a", "b", "c", "d"));
  EXPECT_TRUE(tree.is_detached(*tree.find("d")));
}

TEST(Tree, CutsAnEntryThatIsItsOwnParent) {
  const Tree tree = tree_of({{"a", "a"}, {"b", "a"}});
  EXPECT_THAT(problems_of(tree), ElementsAre("a cycle"));
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("b"))), ElementsAre("a", "b"));
}

TEST(Tree, KeepsTheFirstOfTwoWithOneId) {
  const Tree tree = tree_of({{"a", ""}, {"b", "a"}, {"b", ""}});
  EXPECT_THAT(problems_of(tree), ElementsAre("b duplicate_id"));
  EXPECT_EQ(tree.size(), 2U);
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("b"))), ElementsAre("a", "b"));
}

TEST(Tree, PutsTheCommittedEntryInThePlaceOfAFlaggedOne) {
  const Tree tree =
      tree_of({{"a", ""}, {"b", "a", true}, {"x", "b"}, {"y", ""}, {"b", "y"}, {"c", "b"}});
  EXPECT_THAT(problems_of(tree), IsEmpty());
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("c"))), ElementsAre("y", "b", "c"));
  EXPECT_THAT(ids(tree, tree.path_to(*tree.find("x"))), ElementsAre("y", "b", "x"));
}

TEST(Tree, TellsTwoBranchesApart) {
  const Tree tree = tree_of({{"1", ""}, {"2", "1"}, {"3", "2"}, {"4", "3"}, {"5", "2"}, {"o", ""}});
  const auto at = [&](const char* id) { return *tree.find(id); };
  const BranchDiff found = diff(tree, at("4"), at("5"));
  EXPECT_EQ(found.common_ancestor, at("2"));
  EXPECT_THAT(ids(tree, found.only_left), ElementsAre("3", "4"));
  EXPECT_THAT(ids(tree, found.only_right), ElementsAre("5"));

  const BranchDiff ancestor = diff(tree, at("2"), at("4"));
  EXPECT_EQ(ancestor.common_ancestor, at("2"));
  EXPECT_THAT(ancestor.only_left, IsEmpty());
  EXPECT_THAT(ids(tree, ancestor.only_right), ElementsAre("3", "4"));

  const BranchDiff apart = diff(tree, at("o"), at("3"));
  EXPECT_EQ(apart.common_ancestor, std::nullopt);
  EXPECT_THAT(ids(tree, apart.only_left), ElementsAre("o"));
  EXPECT_THAT(ids(tree, apart.only_right), ElementsAre("1", "2", "3"));
}

TEST(TreeDrawing, CollapsesLongRuns) {
  std::vector<Given> entries = {{"0", ""}};
  for (int i = 1; i < 10; ++i) entries.push_back({std::to_string(i), std::to_string(i - 1)});
  entries.push_back({"x", "9"});
  entries.push_back({"y", "9"});
  const Tree tree = tree_of(entries);
  EXPECT_EQ(drawn(tree),
            "└── 0\n"
            "    └── … 8 more\n"
            "        └── 9\n"
            "            ├── x\n"
            "            └── y\n");
  EXPECT_EQ(drawn(tree, 8, 3),
            "└── 0\n"
            "    └── … 8 more\n"
            "        └── 9\n"
            "            ├── … 1 entry in 1 branch\n"
            "            └── … 1 entry in 1 branch\n");
}

// 100,000 entries, a path 78,000 deep and 4,000 branch points: nothing recurses.
TEST(Tree, IsBuiltWalkedAndDrawnAtFullSize) {
  TreeBuilder builder;
  const auto name = [](int number) { return "e" + std::to_string(number); };
  for (int i = 0; i < 78'000; ++i)
    builder.add(name(i), i == 0 ? "" : name(i - 1), "message", 1, false);
  for (int i = 78'000; i < 100'000; ++i) {
    const int branch = (i - 78'000) % 4'000;
    const int round = (i - 78'000) / 4'000;
    builder.add(name(i), name(round == 0 ? branch * 19 : i - 4'000), "message", 1, false);
  }
  const Tree tree = builder.finish();
  EXPECT_EQ(tree.size(), 100'000U);
  EXPECT_EQ(tree.branch_points().size(), 4'000U);
  EXPECT_EQ(tree.tips().size(), 4'001U);
  EXPECT_EQ(tree.path_to(*tree.find("e77999")).size(), 78'000U);
  const BranchDiff found = diff(tree, *tree.find("e77999"), *tree.find("e99999"));
  EXPECT_EQ(found.only_left.size() + found.only_right.size(), 78'000U - 1 - 1'999 * 19 + 6);
  EXPECT_LT(drawn(tree).size(), 1'000'000U);
}

// A hostile file in which every entry refers forwards, or all are one cycle.
TEST(Tree, IsNotSlowedByForwardReferences) {
  TreeBuilder chain;
  TreeBuilder cycle;
  constexpr int count = 100'000;
  for (int i = 0; i < count; ++i) {
    const std::string id = std::to_string(i);
    chain.add(id, i + 1 < count ? std::to_string(i + 1) : "", "message", 1, false);
    cycle.add(id, std::to_string((i + 1) % count), "message", 1, false);
  }
  const Tree deep = chain.finish();
  EXPECT_EQ(deep.depth(*deep.find("0")), static_cast<std::size_t>(count));
  const Tree round = cycle.finish();
  EXPECT_EQ(round.detached().size(), 1U);
  EXPECT_EQ(round.roots().size(), 0U);
}

}  // namespace
}  // namespace logwood
