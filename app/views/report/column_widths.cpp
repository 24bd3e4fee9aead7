#include "app/views/report/column_widths.h"

#include <algorithm>

#include <QFontMetricsF>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kPadding = 18; ///< padding of a cell, left and right together
constexpr double kWidestWordShare = 1.0 / 3;

struct ColumnNeed
{
    double least = 0; ///< width of the longest word or amount
    double whole = 0; ///< width of the longest line
};

/// Measures the texts of cells in one font.
class NeedMeter
{
public:
    NeedMeter(const QFont& font, double room)
        : m_metrics(font)
        , m_widestWord(kWidestWordShare * room)
    {
    }

    void add(ColumnNeed& need, const std::string& text, bool isAmount) const
    {
        const QString words = toQString(text);
        const double whole = m_metrics.horizontalAdvance(words);
        need.whole = std::max(need.whole, whole + kPadding);
        double least = whole;
        if (!isAmount) {
            least = 0;
            for (const QString& word : words.split(QLatin1Char(' ')))
                least = std::max(least, std::min(m_widestWord, m_metrics.horizontalAdvance(word)));
        }
        need.least = std::max(need.least, least + kPadding);
    }

private:
    QFontMetricsF m_metrics;
    double m_widestWord;
};

/// Returns the need of each column for its title, its cells and its total.
std::vector<ColumnNeed> needs(const Table& table, const QFont& font, double room)
{
    QFont bold = font;
    bold.setBold(true);
    const NeedMeter plain(font, room);
    const NeedMeter strong(bold, room);
    std::vector<ColumnNeed> needs(table.columns.size());
    for (std::size_t i = 0; i < needs.size(); ++i)
        plain.add(needs[i], table.columns[i].title, false);
    const auto addRow = [&](const NeedMeter& meter, const TableRow& cells) {
        for (std::size_t i = 0; i < std::min(needs.size(), cells.size()); ++i)
            meter.add(needs[i], cellText(cells[i]), cells[i].amount() != nullptr);
    };
    for (const TableRow& row : table.rows)
        addRow(plain, row);
    addRow(strong, table.total);
    return needs;
}

/// Returns the maximum width of a column if the longest words of all columns need more than the room. Only
/// the columns with the longest words are cut to it.
double widestColumn(const std::vector<ColumnNeed>& columns, double room)
{
    std::vector<double> widths;
    for (const ColumnNeed& column : columns)
        widths.push_back(column.least);
    std::ranges::sort(widths);
    double remaining = room;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto remainingColumns = static_cast<double>(widths.size() - i);
        if (widths[i] * remainingColumns > remaining)
            return remaining / remainingColumns;
        remaining -= widths[i];
    }
    return room;
}

} // namespace

QList<QTextLength> columnWidths(const Table& table, const QFont& font, double room)
{
    const std::vector<ColumnNeed> columns = needs(table, font, room);
    double leastSum = 0;
    double wholeSum = 0;
    for (const ColumnNeed& column : columns) {
        leastSum += column.least;
        wholeSum += column.whole;
    }
    if (wholeSum <= room || columns.empty())
        return {};
    const double widest = widestColumn(columns, room);
    const double share = leastSum < room ? (room - leastSum) / (wholeSum - leastSum) : 0;
    QList<QTextLength> widths;
    for (const ColumnNeed& column : columns) {
        const double width = leastSum < room ? column.least + share * (column.whole - column.least)
                                             : std::min(column.least, widest);
        widths << QTextLength(QTextLength::PercentageLength, 100 * width / room);
    }
    return widths;
}

} // namespace highwater::gui
