#include "app/views/report/report_text.h"

#include <algorithm>

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextTable>

#include "app/views/report/report_setter.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

ReportText::ReportText(std::shared_ptr<const Report> report, const ReportLook& look, QObject* parent)
    : QTextDocument(parent)
    , m_report(std::move(report))
    , m_look(look)
    , m_figures(new FigureObject(this))
{
    m_figures->setLook(m_look);
    documentLayout()->registerHandler(FigureObject::kObjectType, m_figures);
    setUndoRedoEnabled(false);
    setDefaultFont(m_look.font);
    setDocumentMargin(0);
    setIndentWidth(20 * m_look.spacing);
    setUseDesignMetrics(true);
    setMetaInformation(QTextDocument::DocumentTitle, toQString(m_report->title));
    // Paths have no spaces at which they could be wrapped.
    QTextOption option = defaultTextOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setDefaultTextOption(option);

    // Set before there is anything to lay out.
    setMargins(m_look.margins);
    if (m_look.width > 0)
        setTextWidth(m_look.width);
    BlockSetter blocks(*this, m_look);
    ReportSetter setter(blocks, *m_figures);
    setter.head(*m_report);
    for (const ReportSection& section : m_report->sections) {
        m_parts.emplace_back(section.part, setter.heading(section.title, section.isAppendix));
        for (const ReportBlock& block : section.blocks)
            std::visit([&](const auto& content) { setter(content); }, block);
    }
    m_tables = setter.takeTables();
    m_headings = setter.takeHeadings();
    blocks.finish();
}

std::optional<int> ReportText::positionOf(ReportPart part) const
{
    const auto found = std::ranges::find(m_parts, part, &std::pair<ReportPart, int>::first);
    return found == m_parts.end() ? std::nullopt : std::optional(found->second);
}

const ReportFigure* ReportText::figureAt(int position) const
{
    const QTextBlock block = findBlock(position);
    for (auto piece = block.begin(); !piece.atEnd(); ++piece)
        if (const ReportFigure* figure = m_figures->figureOf(piece.fragment().charFormat()))
            return figure;
    return nullptr;
}

const Table* ReportText::tableAt(const QTextCursor& cursor) const
{
    const auto found = std::ranges::find(
        m_tables, cursor.currentTable(), &std::pair<const QTextTable*, const Table*>::first);
    return found == m_tables.end() ? nullptr : found->second;
}

void ReportText::setMargins(const QMarginsF& margins)
{
    QTextFrameFormat format = rootFrame()->frameFormat();
    format.setLeftMargin(margins.left());
    format.setRightMargin(margins.right());
    format.setTopMargin(margins.top());
    format.setBottomMargin(margins.bottom());
    rootFrame()->setFrameFormat(format);
}

void ReportText::setWidth(double width, const QMarginsF& margins, double room)
{
    m_look.room = room;
    m_figures->setLook(m_look);
    QTextCursor all(this);
    all.beginEditBlock(); // lays out once for all changes
    setMargins(margins);
    markContentsDirty(0, characterCount());
    all.endEditBlock();
    setTextWidth(width);
}

} // namespace highwater::gui
