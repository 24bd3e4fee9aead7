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

/// A report as a text to be shown or printed. It is built of paragraphs, tables and objects, never of HTML:
/// whatever names of files, frames and notes hold is shown as it is.
class ReportText : public QTextDocument
{
    Q_OBJECT

public:
    ReportText(std::shared_ptr<const Report> report, const ReportLook& look, QObject* parent = nullptr);

    const Report& report() const { return *m_report; }
    /// Position of the section's heading, in characters; none: the report has no such section.
    std::optional<int> positionOf(ReportPart part) const;
    /// Of sections, findings and notes, in order.
    const std::vector<SetHeading>& headings() const { return m_headings; }
    /// Null: there is none at this place.
    const ReportFigure* figureAt(int position) const;
    /// Null: the cursor is in no table of the report.
    const Table* tableAt(const QTextCursor& cursor) const;
    /// The picture of it that is shown.
    const Figure& pictureOf(const ReportFigure& figure) const { return m_figures->pictureOf(figure); }
    /// Another width for all of it, with these margins, and for its figures.
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
