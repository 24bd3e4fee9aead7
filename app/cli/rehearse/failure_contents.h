#pragma once

#include <string>
#include <vector>

#include "app/cli/rehearse/outcome.h"
#include "core/base/json.h"

namespace highwater::cli {

/// A part of the memory that was in use.
struct MemoryPart
{
    std::string name; ///< "activations"; "forward (train.py:25)"
    Bytes bytes = 0;
};

/// The memory in use when a rehearsed run ran out of it, without the failed request.
struct FailureContents
{
    Bytes bytes = 0; ///< in use
    Bytes refusedBytes = 0;
    std::vector<MemoryPart> categories; ///< with at least 1%; largest first, at most four
    std::vector<MemoryPart> places; ///< by line of the user's code, if known; largest first, at most five
};

/// Returns the contents at the last failure of the first process that does not fit and whose snapshot has a
/// failure; nullopt if there is none.
std::optional<FailureContents> contentsAtFailure(
    const RehearsalOutcome& outcome, const CommonOptions& options);

void printFailureContents(const FailureContents& contents);
nlohmann::ordered_json failureContentsJson(const FailureContents& contents);

} // namespace highwater::cli
