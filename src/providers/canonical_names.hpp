// The words of the canonical model that every file of this layer speaks in.
#pragma once

#include "model/canonical.hpp"

namespace logwood::providers {

using canonical::Api;
using canonical::Message;
using canonical::Native;
using canonical::Part;
using canonical::PartKind;
using canonical::Role;
using canonical::Scope;
using canonical::Source;
using canonical::Spelling;
using canonical::Tool;

}  // namespace logwood::providers
