#pragma once

#include <memory>

#include <QString>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// Whether a report can be written to a file of this name: it ends in .html, .pdf, .md or .json.
bool isReportPath(const QString& path);

/// Writes the report in the format given by the extension of the path. An existing file is replaced only when
/// the new one is complete; the figures of Markdown go into a folder next to it ("run.md", "run-figures").
/// Thread-safe. Fails with BadRequest for another extension, else as AtomicFile does. O(report).
Result<void> saveReport(const std::shared_ptr<const Report>& report, const QString& path);

/// The report as Markdown for a comment: without pictures, which a comment cannot hold.
QString commentOf(const Report& report);

/// A name for its file, made of its title, without ending: "r1-grpo-before-and-after".
QString fileNameFor(const Report& report);

} // namespace highwater::gui
