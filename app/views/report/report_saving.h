#pragma once

#include <memory>

#include <QString>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// True if a report can be written to a file of this name, which ends in .html, .pdf, .md or .json.
bool isReportPath(const QString& path);

/// Writes the report in the format of the path's extension. An existing file is replaced only once the new
/// one is complete. Figures of a Markdown report go into a folder next to it ("run.md", "run-figures").
/// Thread-safe. Fails with BadRequest for other extensions, else with the reason why a file or the folder
/// cannot be written. O(report).
Result<void> saveReport(const std::shared_ptr<const Report>& report, const QString& path);

/// Returns the report as Markdown for a comment, without pictures, which a comment cannot contain.
QString markdownComment(const Report& report);

/// Returns a file name without extension, made from the report's title: "r1-grpo-before-and-after".
QString fileNameFor(const Report& report);

} // namespace highwater::gui
