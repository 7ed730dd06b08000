// A session as a Markdown document that a person reads.
//
// What comes from the transcript stands in fenced blocks, each with a fence longer than any run of
// backticks in it, so that it can neither end its block nor be taken for a heading, HTML or an
// image of the document; code in it stays as it is. Names in headings are one line and escaped.
#pragma once

#include <string>
#include <string_view>

#include "logwood/entry.hpp"
#include "logwood/session.hpp"

namespace logwood::api {

/// The heading of the document, and what session it is of.
[[nodiscard]] std::string markdown_begin(const SessionHeader& header, std::string_view title);

/// What one entry of the path says.
[[nodiscard]] std::string markdown_of(const Entry& entry);

}  // namespace logwood::api
