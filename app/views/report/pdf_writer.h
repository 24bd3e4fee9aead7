#pragma once

#include <memory>

#include <QPageSize>
#include <QString>

#include "core/base/result.h"
#include "core/report/model/report.h"

class QIODevice;

namespace highwater::gui {

/// Returns the usual paper of the locale: Letter where US units are used, else A4.
QPageSize::PageSizeId usualPaper();

/// Writes the report as PDF: real text, vector figures, embedded fonts; each page has its label at the foot
/// and, except the first, the report's title at the top. Sections, findings and notes are in the outline;
/// pages of the appendix have their own labels. No page break splits a line, a row or a figure that fits on a
/// page; none separates a heading from its text, if possible. Needs a QGuiApplication, but no display.
/// Returns the number of pages; fails with one sentence. O(text).
Result<int> writePdf(std::shared_ptr<const Report> report, QIODevice& device, QPageSize::PageSizeId paper);
/// Writes the PDF to a file, which is replaced only once everything is written.
Result<int> savePdf(
    std::shared_ptr<const Report> report, const QString& path, QPageSize::PageSizeId paper = usualPaper());

} // namespace highwater::gui
