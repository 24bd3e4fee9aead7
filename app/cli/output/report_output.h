#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace highwater::cli {

/// The output format of a report.
enum class ReportFormat : std::uint8_t
{
    Html,
    Markdown,
    Json
};

/// By the ending of the file's name; of standard output JSON, where that is asked for. Fails with BadRequest.
Result<ReportFormat> reportFormat(const std::string& out, bool json);

/// Where a report goes.
struct ReportTarget
{
    std::string out;
    bool force = false; ///< replace existing files
    std::vector<std::string> inputs; ///< files from which it is made: never replaced
};

/// Writes the report; the figures of Markdown go into a folder next to it ("run.md" → "run-figures"). Fails
/// with BadRequest, or with CannotRead if it cannot be written.
Result<void> writeReport(const Report& report, ReportFormat format, const ReportTarget& target);

} // namespace highwater::cli
