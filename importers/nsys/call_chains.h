#pragma once

#include <vector>

#include "core/base/hash.h"
#include "core/trace/trace_builder.h"
#include "importers/nsys/records.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// The frames of call chains by the chain's id, innermost first.
using CallChains = NumberMap<std::int64_t, std::vector<FrameId>>;

/// Reads the chains of these calls from CUDA_CALLCHAINS. Frames are native, or Python if their module is a
/// Python file. A frame without a symbol becomes "(unresolved)" in its module, because addresses differ
/// between runs.
CallChains readCallChains(Database& database, const std::vector<RuntimeCall>& calls, TraceBuilder& builder);

} // namespace highwater::nsys
