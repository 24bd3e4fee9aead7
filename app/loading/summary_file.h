#pragma once

#include <string>

#include "core/base/result.h"
#include "core/study/run_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// A summary and the bytes of its file.
struct SummaryFile
{
    RankSummary summary;
    std::string bytes;
};

/// Returns the most detailed summary of the study's device whose file is small enough
/// (`summary::kMaxFileBytes`), or the least detailed if none is. The study must have a device;
/// `fileBytes` is the size of the recording's file. O(events).
SummaryFile summaryFile(const RunStudy& study, const RankIdentity& identity, std::uint64_t fileBytes);

/// True if a file is a rank's summary (`highwater summarize`), by its first bytes; false for a pipe and for
/// standard input, which can be read only once. Fails with CannotRead.
Result<bool> isSummaryFile(const std::string& path);

} // namespace highwater
