#pragma once

#include <memory>

#include <QString>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// Whether a report can be written to a file of this name: it ends in .html, .pdf, .md or .json.
bool isReportPath(const QString& path);

/// Writes the report in the form that the ending of the path says. Every file replaces the one that was there
/// only when it is complete; the pictures of Markdown go into a folder beside it ("run.md", "run-figures").
/// On any thread. Fails with BadRequest for another ending, else as AtomicFile does. O(report).
Result<void> saveReport(const std::shared_ptr<const Report>& report, const QString& path);

/// The report as Markdown for a comment: without pictures, which a comment cannot hold.
QString commentOf(const Report& report);

/// A name for its file, made of its title, without ending: "r1-grpo-before-and-after".
QString fileNameFor(const Report& report);

} // namespace highwater::gui
