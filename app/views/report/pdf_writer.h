#pragma once

#include <memory>

#include <QPageSize>
#include <QString>

#include "core/base/result.h"
#include "core/report/model/report.h"

class QIODevice;

namespace highwater::gui {

/// A4, or Letter where that is what people have in their printers.
QPageSize::PageSizeId usualPaper();

/// The report as PDF: text as text, figures as vectors, fonts inside; the label of each page at its foot and
/// the report's title at the head of all but the first; sections, findings and notes in an outline; pages of
/// the appendix labelled as such. No page cuts a line, a row, a figure, or parts a
/// heading from what follows. Needs a QGuiApplication, but no display. Returns the number of pages; fails
/// with one sentence. O(text).
Result<int> writePdf(std::shared_ptr<const Report> report, QIODevice& device, QPageSize::PageSizeId paper);
/// To a file, which is replaced only when all is written.
Result<int> savePdf(
    std::shared_ptr<const Report> report, const QString& path, QPageSize::PageSizeId paper = usualPaper());

} // namespace highwater::gui
