#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QTextCursor>
#include <QTextDocument>

#include "app/views/report/figure_object.h"
#include "app/views/report/report_look.h"
#include "app/views/report/report_setter.h"
#include "core/report/model/report.h"

class QTextTable;

namespace highwater::gui {

/// A report as a text document for screen and print. It is built from paragraphs, tables and objects, never
/// from HTML, so that names of files, frames and notes appear literally. It shares the report, to which its
/// figures and tables belong.
class ReportText : public QTextDocument
{
    Q_OBJECT

public:
    ReportText(std::shared_ptr<const Report> report, const ReportLook& look, QObject* parent = nullptr);

    const Report& report() const { return *m_report; }
    /// Returns the position of a section's heading, in characters; nullopt if the report does not have the
    /// section.
    std::optional<int> positionOf(ReportPart part) const;
    /// Returns the headings of sections, findings and notes, in order.
    const std::vector<SetHeading>& headings() const { return m_headings; }
    /// Returns the figure in the paragraph at this position; null if there is none.
    const ReportFigure* figureAt(int position) const;
    /// Returns the report's table at the cursor; null if there is none.
    const Table* tableAt(const QTextCursor& cursor) const;
    /// Returns the shown variant of a figure.
    const Figure& pictureOf(const ReportFigure& figure) const { return m_figures->pictureOf(figure); }
    /// Sets another width and margins for the text, and the width for its figures.
    void setWidth(double width, const QMarginsF& margins, double room);

private:
    void setMargins(const QMarginsF& margins);

    std::shared_ptr<const Report> m_report;
    ReportLook m_look;
    FigureObject* m_figures;
    std::vector<std::pair<ReportPart, int>> m_parts;
    std::vector<SetHeading> m_headings;
    std::vector<std::pair<const QTextTable*, const Table*>> m_tables;
};

} // namespace highwater::gui
