#pragma once

#include <string_view>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/records.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// "cudaMalloc" of "cudaMalloc_v3020"; a short number belongs to the name ("cuMemAlloc_v2").
std::string_view withoutVersion(std::string_view apiName);

/// Whether a call allocates driver memory or frees it: cudaMalloc…, cudaFree…, cuMem….
bool isMemoryCall(std::string_view apiName);

/// A memory call that the driver answered with "out of memory".
struct RefusedCall
{
    StringId name;
    Nanoseconds time = 0;
};

struct RuntimeCalls
{
    std::vector<RuntimeCall> calls; ///< those that memory rows point at
    std::vector<RefusedCall> refused; ///< in the order of the file
};

/// Goes through the runtime table once. The calls that caused memory rows are kept, and the rows learn which
/// (`MemoryRow::call`); a correlation is unique within its process only. Memory calls become activities, all
/// calls where `all` says so.
RuntimeCalls readRuntimeCalls(
    Database& database, Nanoseconds offset, bool all, std::vector<MemoryRow>& rows, TraceBuilder& builder);

} // namespace highwater::nsys
