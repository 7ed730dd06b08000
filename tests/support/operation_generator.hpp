// Operations for RapidCheck: what is drawn, how often, and how it is made simpler
// when a sequence of them fails.
#pragma once

#include <rapidcheck.h>

#include <ostream>
#include <string>
#include <vector>

#include "support/disagreement.hpp"
#include "support/operation.hpp"
#include "support/operation_runner.hpp"

namespace rc {

template <>
struct Arbitrary<logwood::DraftChoice> {
  static Gen<logwood::DraftChoice> arbitrary() {
    using Choice = logwood::DraftChoice;
    const auto id = gen::weightedElement<Choice::Id>({{6, Choice::Id::none},
                                                      {8, Choice::Id::pooled},
                                                      {2, Choice::Id::known},
                                                      {1, Choice::Id::session}});
    const auto parent =
        gen::weightedElement<Choice::Parent>({{10, Choice::Parent::absent},
                                              {2, Choice::Parent::null},
                                              {4, Choice::Parent::known},
                                              {2, Choice::Parent::pooled},
                                              {2, Choice::Parent::earlier_in_batch}});
    const auto type = gen::weightedElement<Choice::Type>({{10, Choice::Type::message},
                                                          {2, Choice::Type::custom},
                                                          {2, Choice::Type::unknown},
                                                          {2, Choice::Type::label},
                                                          {1, Choice::Type::info},
                                                          {1, Choice::Type::tool_run},
                                                          {4, Choice::Type::head}});
    const auto fault = gen::weightedElement<Choice::Fault>({{60, Choice::Fault::none},
                                                            {1, Choice::Fault::not_json},
                                                            {1, Choice::Fault::no_payload},
                                                            {1, Choice::Fault::reserved_name},
                                                            {1, Choice::Fault::header},
                                                            {1, Choice::Fault::redaction},
                                                            {1, Choice::Fault::line_break},
                                                            {1, Choice::Fault::repeated_name},
                                                            {1, Choice::Fault::bad_time},
                                                            {1, Choice::Fault::mark_with_parent}});
    const auto number = gen::resize(100, gen::arbitrary<std::uint8_t>());
    return gen::build<Choice>(
        gen::set(&Choice::id, id), gen::set(&Choice::parent, parent), gen::set(&Choice::type, type),
        gen::set(&Choice::fault, fault), gen::set(&Choice::id_number, number),
        gen::set(&Choice::parent_number, number), gen::set(&Choice::target_number, number),
        gen::set(&Choice::content, number), gen::set(&Choice::spelling, number));
  }
};

template <>
struct Arbitrary<logwood::Operation> {
  static Gen<logwood::Operation> arbitrary() {
    using logwood::DraftChoice;
    using logwood::Operation;
    using Kind = Operation::Kind;
    const auto kind = gen::weightedElement<Kind>(
        {{6, Kind::create},         {1, Kind::open_by_key},    {24, Kind::append},
         {6, Kind::append_again},   {2, Kind::flush},          {4, Kind::close_session},
         {4, Kind::reopen_store},   {1, Kind::load},           {5, Kind::read_page},
         {4, Kind::load_last},      {3, Kind::find},           {1, Kind::status},
         {1, Kind::list},           {2, Kind::remove},         {2, Kind::verify},
         {1, Kind::migrate},        {1, Kind::put_unsealed},   {1, Kind::delete_index},
         {1, Kind::truncate_index}, {2, Kind::scribble_index}, {2, Kind::foreign_line},
         {1, Kind::blank_line},     {1, Kind::damaged_line},   {1, Kind::nul_line},
         {1, Kind::replayed_line},  {2, Kind::unended_bytes},  {1, Kind::cut_last_batch},
         {1, Kind::lost_line_end},  {1, Kind::replaced_file}});
    const auto tail = gen::weightedElement<Operation::Tail>({{10, Operation::Tail::any},
                                                             {6, Operation::Tail::actual},
                                                             {1, Operation::Tail::none},
                                                             {2, Operation::Tail::known}});
    // One session gets most of what happens, so that it becomes interesting.
    const auto session = gen::weightedElement<std::uint8_t>({{8, 0}, {3, 1}, {1, 2}, {1, 3}});
    const auto operation_id = gen::weightedElement<std::uint8_t>({{12, 0}, {1, 1}, {1, 2}, {1, 3}});
    const auto number = gen::resize(100, gen::arbitrary<std::uint8_t>());
    const auto drafts = gen::weightedOneOf<std::vector<DraftChoice>>(
        {{20, gen::resize(4, gen::arbitrary<std::vector<DraftChoice>>())},
         {1, gen::resize(80, gen::arbitrary<std::vector<DraftChoice>>())}});
    return gen::build<Operation>(
        gen::set(&Operation::kind, kind), gen::set(&Operation::session, session),
        gen::set(&Operation::handle, gen::inRange<std::uint8_t>(0, 2)),
        gen::set(&Operation::number, number), gen::set(&Operation::other_number, number),
        gen::set(&Operation::drafts, drafts), gen::set(&Operation::tail, tail),
        gen::set(&Operation::operation_id, operation_id), gen::set(&Operation::buffered),
        gen::set(&Operation::along_path));
  }
};

}  // namespace rc

namespace logwood {

inline constexpr int operations_max = 40;

/// A sequence of up to operations_max operations.
inline rc::Gen<std::vector<Operation>> operation_sequence() {
  return rc::gen::resize(operations_max, rc::gen::arbitrary<std::vector<Operation>>());
}

inline void showValue(const std::vector<Operation>& operations, std::ostream& out) {
  for (const Operation& operation : operations) out << "\n    " << operation;
}

/// Carries out the operations on a store that has a session, so that most of them find something to
/// work on.
inline void run_operations(OperationRunner& runner, const std::vector<Operation>& operations) {
  std::size_t step = 0;
  try {
    Operation create;
    create.kind = Operation::Kind::create;
    runner.run(create);
    for (; step < operations.size(); ++step) runner.run(operations[step]);
    runner.compare_all();
  } catch (const Disagreement& difference) {
    RC_FAIL("after " + std::to_string(step) + " of " + std::to_string(operations.size()) +
            " operations: " + difference.what());
  }
}

}  // namespace logwood
