#include "app/views/report/text_strips.h"

#include <algorithm>

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextTable>

#include "app/views/report/block_setter.h"

namespace highwater::gui {

namespace {

/// Number of rows that stay together at either end of a table.
constexpr int kRowsTogether = 2;
/// A table of this many rows or fewer, titles and total included, is not broken.
constexpr int kMaxWholeRows = 12;

class StripList
{
public:
    explicit StripList(const QAbstractTextDocumentLayout& layout)
        : m_layout(layout)
    {
    }

    void add(const QTextBlock& block)
    {
        const QRectF rect = m_layout.blockBoundingRect(block);
        const bool keep = block.blockFormat().boolProperty(BlockSetter::kKeepWithNext);
        const QTextLayout& lines = *block.layout();
        const int count = lines.lineCount();
        for (int i = 0; i < count; ++i) {
            const QRectF line = lines.lineAt(i).rect().translated(0, lines.position().y());
            const bool isEdge = count > 1 && (i == 0 || i == count - 2);
            m_strips.push_back({line.top(), line.bottom(), keep || isEdge});
        }
        if (count == 0)
            m_strips.push_back({rect.top(), rect.bottom(), keep});
    }

    void add(QTextTable& table)
    {
        const int headerCount = table.format().headerRowCount();
        const int rowCount = table.rows();
        std::vector<PageStrip> strips;
        for (int row = 0; row < rowCount; ++row)
            strips.push_back(rowOf(table, row));
        for (int row = 0; row + 1 < rowCount; ++row) {
            PageStrip& strip = strips[static_cast<std::size_t>(row)];
            strip.keepWithNext = rowCount <= kMaxWholeRows || row < headerCount + kRowsTogether - 1
                || row >= rowCount - kRowsTogether;
            if (row < headerCount)
                continue;
            strip.bottom = std::max(strip.bottom, strips[static_cast<std::size_t>(row) + 1].top);
        }
        if (headerCount > 0)
            for (int row = headerCount; row < rowCount; ++row) {
                strips[static_cast<std::size_t>(row)].headerTop = strips.front().top;
                strips[static_cast<std::size_t>(row)].headerBottom
                    = strips[static_cast<std::size_t>(headerCount)].top;
            }
        m_strips.insert(m_strips.end(), strips.begin(), strips.end());
    }

    std::vector<PageStrip> takeStrips() { return std::move(m_strips); }

private:
    PageStrip rowOf(const QTextTable& table, int row) const
    {
        QRectF rect;
        for (int column = 0; column < table.columns(); ++column) {
            const QTextTableCell cell = table.cellAt(row, column);
            for (auto block = cell.begin(); !block.atEnd(); ++block)
                rect |= m_layout.blockBoundingRect(block.currentBlock());
        }
        const double padding = table.format().cellPadding();
        return {rect.top() - padding, rect.bottom() + padding, false};
    }

    const QAbstractTextDocumentLayout& m_layout;
    std::vector<PageStrip> m_strips;
};

} // namespace

std::vector<PageStrip> stripsOf(const QTextDocument& document)
{
    StripList strips(*document.documentLayout());
    (void)document.documentLayout()->documentSize(); // forces the layout to finish
    for (auto part = document.rootFrame()->begin(); !part.atEnd(); ++part) {
        if (auto* table = qobject_cast<QTextTable*>(part.currentFrame()))
            strips.add(*table);
        else if (part.currentBlock().isValid())
            strips.add(part.currentBlock());
    }
    return strips.takeStrips();
}

} // namespace highwater::gui
