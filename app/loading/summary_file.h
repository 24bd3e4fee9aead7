#pragma once

#include <string>

#include "core/base/result.h"
#include "core/study/run_study.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// A summary and its file's bytes.
struct SummaryFile
{
    RankSummary summary;
    std::string bytes;
};

/// The fullest summary of the study's device whose file is small enough (`summary::kMostFileBytes`); the
/// leanest where none is. The study must have a device. O(events).
SummaryFile summaryFile(const RunStudy& study, const RankIdentity& identity, std::uint64_t fileBytes);

/// Whether a file is a rank's summary (`highwater summarize`), by its first bytes; a pipe is none. Fails with
/// CannotRead.
Result<bool> isSummaryFile(const std::string& path);

} // namespace highwater
