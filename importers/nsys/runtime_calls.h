#pragma once

#include <string_view>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/records.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// Returns "cudaMalloc" for "cudaMalloc_v3020"; a number of fewer than four digits is part of the name
/// ("cuMemAlloc_v2").
std::string_view withoutVersion(std::string_view apiName);

/// True for a call that allocates, registers or frees memory of the driver, such as cudaMallocAsync,
/// cudaHostRegister or cuMemCreate; not for copies.
bool isMemoryCall(std::string_view apiName);

/// A memory call that the driver answered with "out of memory".
struct RefusedCall
{
    StringId name;
    Nanoseconds time = 0;
};

/// The calls of the runtime table that the trace needs.
struct RuntimeCalls
{
    std::vector<RuntimeCall> calls; ///< the calls that memory rows refer to
    std::vector<RefusedCall> refused; ///< in file order, at most the first 100,000
};

/// Reads the runtime table. Keeps the calls that caused memory rows and links each row to its call
/// (`MemoryRow::call`); a correlation is unique only within its process. Memory calls become activities; if
/// `keepAll` is set, all calls become activities.
RuntimeCalls readRuntimeCalls(Database& database, Nanoseconds offset, bool keepAll,
    std::vector<MemoryRow>& rows, TraceBuilder& builder);

} // namespace highwater::nsys
