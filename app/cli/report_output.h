#pragma once

#include <string>

#include "core/base/result.h"
#include "core/report/report.h"

namespace highwater::cli {

/// How a report is written.
enum class ReportFormat : std::uint8_t
{
    Html,
    Markdown,
    Json
};

/// By the ending of the file's name; of standard output JSON, where that is asked for. Fails with BadRequest.
Result<ReportFormat> reportFormat(const std::string& out, bool json);

/// Writes the report; the figures of Markdown into a folder beside it ("run.md" → "run-figures"). Nothing
/// that is there already is replaced without `force`. Fails with BadRequest, or with CannotRead where it
/// cannot be written.
Result<void> writeReport(const Report& report, ReportFormat format, const std::string& out, bool force);

} // namespace highwater::cli
