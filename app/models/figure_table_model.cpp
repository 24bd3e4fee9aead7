#include "app/models/figure_table_model.h"

#include <algorithm>
#include <array>

#include "app/models/exact_role.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::gui {

namespace {

constexpr std::array<FigureColumn, 4> kShortColumns = {NameColumn, BytesColumn, ShareColumn, CountColumn};

bool contains(const std::string& text, const std::string& lowerPart)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::search(text.begin(), text.end(), lowerPart.begin(), lowerPart.end(), [&](char a, char b) {
        return lower(a) == b;
    }) != text.end();
}

} // namespace

FigureTableModel::FigureTableModel(const QString& nameTitle, bool hasSelf, QObject* parent)
    : QAbstractTableModel(parent)
    , m_nameTitle(nameTitle)
    , m_hasSelf(hasSelf)
{
}

void FigureTableModel::setTable(std::shared_ptr<const FigureTable> table, const QString& nameTitle)
{
    beginResetModel();
    m_table = std::move(table);
    if (!nameTitle.isEmpty())
        m_nameTitle = nameTitle;
    fillOrder();
    endResetModel();
}

void FigureTableModel::setSearch(const QString& text)
{
    if (text == m_search)
        return;
    beginResetModel();
    m_search = text;
    fillOrder();
    endResetModel();
}

void FigureTableModel::fillOrder()
{
    m_order.clear();
    m_matchedBytes = 0;
    if (!m_table)
        return;
    const std::string part = m_search.toLower().toStdString();
    for (std::uint32_t i = 0; i < m_table->rows.size(); ++i) {
        const FigureRow& row = m_table->rows[i];
        if (!part.empty() && !contains(m_table->nameOfRow(row), part) && !contains(row.place, part))
            continue;
        m_order.push_back(i);
        m_matchedBytes += row.bytes;
    }
    sortOrder();
}

void FigureTableModel::sortOrder()
{
    const std::vector<FigureRow>& rows = m_table->rows;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        switch (m_sortColumn) {
        case NameColumn: return m_table->nameOf ? rows[a].id < rows[b].id : rows[a].name < rows[b].name;
        case PlaceColumn: return rows[a].place < rows[b].place;
        case SelfColumn: return rows[a].selfBytes < rows[b].selfBytes;
        case CountColumn: return rows[a].count < rows[b].count;
        default: return rows[a].bytes < rows[b].bytes;
        }
    };
    std::sort(m_order.begin(), m_order.end()); // the table's own order: ties stay as they are
    if (m_sortOrder == Qt::AscendingOrder)
        std::stable_sort(m_order.begin(), m_order.end(), before);
    else if (m_sortColumn != BytesColumn && m_sortColumn != ShareColumn) // else they come so
        std::stable_sort(
            m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) { return before(b, a); });
}

int FigureTableModel::kindOf(int section) const
{
    return m_hasSelf ? section : kShortColumns[static_cast<std::size_t>(section)];
}

void FigureTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = kindOf(column);
    m_sortOrder = order;
    if (!m_table)
        return;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> rows;
    for (const QModelIndex& index : before)
        rows.push_back(m_order[static_cast<std::size_t>(index.row())]);
    sortOrder();
    QModelIndexList after;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = std::find(m_order.begin(), m_order.end(), rows[i]) - m_order.begin();
        after << createIndex(static_cast<int>(place), before[static_cast<int>(i)].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

int FigureTableModel::rowOfId(std::uint32_t id) const
{
    const auto found = std::find_if(
        m_order.begin(), m_order.end(), [&](std::uint32_t row) { return m_table->rows[row].id == id; });
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int FigureTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int FigureTableModel::columnCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    return m_hasSelf ? int{FigureColumnCount} : static_cast<int>(kShortColumns.size());
}

QString FigureTableModel::text(const FigureRow& row, int column) const
{
    switch (column) {
    case NameColumn:
        return QString::fromStdString(m_table->nameOfRow(row))
            .replace(QLatin1Char('\n'), QStringLiteral(" ← "));
    case BytesColumn: return bytesText(row.bytes);
    case ShareColumn: return QString::fromStdString(formatShare(row.bytes, m_table->whole));
    case SelfColumn: return row.selfBytes > 0 ? bytesText(row.selfBytes) : QString();
    case CountColumn: return countText(row.count);
    default: break;
    }
    return QString::fromStdString(std::string(sourceFileName(row.place)));
}

QString FigureTableModel::tip(const FigureRow& row, int column) const
{
    if (column == NameColumn || column == PlaceColumn) {
        const std::string name = m_table->nameOfRow(row);
        return QString::fromStdString(row.place.empty() ? name : name + "\n" + row.place);
    }
    QString tip = tr("%1 in %2")
                      .arg(QString::fromStdString(formatExactBytes(row.bytes)),
                          countedText(row.count, "allocation", "allocations"));
    if (m_hasSelf)
        tip += tr("\nof these %1 not through what it calls")
                   .arg(QString::fromStdString(formatExactBytes(row.selfBytes)));
    return tip;
}

double FigureTableModel::shareOf(const FigureRow& row) const
{
    return m_table->whole > 0 ? static_cast<double>(row.bytes) / static_cast<double>(m_table->whole) : 0.0;
}

QVariant FigureTableModel::exactOf(const FigureRow& row, int column) const
{
    switch (column) {
    case BytesColumn: return exactFigure(row.bytes);
    case ShareColumn: return shareOf(row);
    case SelfColumn: return exactFigure(row.selfBytes);
    case CountColumn: return exactFigure(row.count);
    default: return {};
    }
}

QVariant FigureTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const FigureRow& figures = row(index.row());
    const int column = kindOf(index.column());
    switch (role) {
    case Qt::DisplayRole: return text(figures, column);
    case Qt::ToolTipRole: return tip(figures, column);
    case Qt::TextAlignmentRole: return alignmentOf(column);
    case ShareRole: return shareOf(figures);
    case kExactRole: return exactOf(figures, column);
    default: return {};
    }
}

QVariant FigureTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return alignmentOf(kindOf(section));
    if (orientation == Qt::Horizontal && role == kExactRole)
        return exactUnit(unitOf(kindOf(section)));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (kindOf(section)) {
    case NameColumn: return m_nameTitle;
    case BytesColumn: return tr("Bytes");
    case ShareColumn: return tr("Share");
    case SelfColumn: return tr("Self");
    case CountColumn: return tr("Allocations");
    case PlaceColumn: return tr("File");
    default: return {};
    }
}

} // namespace highwater::gui
