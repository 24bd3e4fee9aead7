#include "app/models/diff_model.h"

#include <QGuiApplication>

#include "app/models/exact_role.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/theme/note_badge.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

QString amountText(const DiffAmount& amount)
{
    return amount.count == 0 ? QStringLiteral("–") : bytesText(amount.bytes);
}

QString exactText(const DiffAmount& amount)
{
    return QObject::tr("%1 in %2")
        .arg(QString::fromStdString(formatExactBytes(amount.bytes)),
            countedText(amount.count, "allocation", "allocations"));
}

QString statusText(const DiffRow& row)
{
    const QString status = toQString(toText(row.status()));
    return row.loose ? QObject::tr("%1, loosely matched").arg(status) : status;
}

} // namespace

QString rowNoun(GroupKey key)
{
    switch (key) {
    case GroupKey::Stack: return QObject::tr("stack");
    case GroupKey::Site: return QObject::tr("call site");
    case GroupKey::Function: return QObject::tr("function");
    case GroupKey::File: return QObject::tr("file");
    case GroupKey::Module: return QObject::tr("module");
    case GroupKey::Category: return QObject::tr("category");
    case GroupKey::Size: return QObject::tr("size");
    case GroupKey::Stream: return QObject::tr("stream");
    case GroupKey::Pool: return QObject::tr("pool");
    case GroupKey::Allocation: return QObject::tr("allocation");
    }
    return {};
}

void DiffModel::setDiff(std::shared_ptr<const MomentDiff> diff)
{
    beginResetModel();
    m_diff = std::move(diff);
    endResetModel();
}

void DiffModel::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int DiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_diff ? 0 : static_cast<int>(m_diff->diff.rows.size());
}

int DiffModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QString DiffModel::text(int number, int column) const
{
    const DiffRow& row = this->row(number);
    switch (column) {
    case KeyColumn: return toQString(rowLabel(row));
    case BeforeColumn: return amountText(row.before);
    case AfterColumn: return amountText(row.after);
    case DeltaColumn: return QString::fromStdString(formatBytesDelta(row.delta()));
    case EachColumn: return toQString(eachText(m_diff->causes, static_cast<std::uint32_t>(number)));
    case StatusColumn: return statusText(row);
    default: return {};
    }
}

QString DiffModel::tip(const DiffRow& row, int column) const
{
    switch (column) {
    case KeyColumn: return toQString(row.key);
    case BeforeColumn: return exactText(row.before);
    case AfterColumn: return exactText(row.after);
    case DeltaColumn:
        return QString::fromStdString(formatExactBytes(row.delta()))
            + tr(", %1").arg(QString::fromStdString(formatRelativeDelta(row.before.bytes, row.after.bytes)));
    case EachColumn:
        return row.sizeRatio() ? tr("Each allocation: %1 before, %2 after")
                                     .arg(bytesText(row.before.eachBytes), bytesText(row.after.eachBytes))
                               : tr("Its allocations have different sizes, or are in one run alone");
    case StatusColumn:
        return row.loose ? tr("The user's own frames agree; what torch does below them differs") : QString();
    default: return {};
    }
}

QVariant DiffModel::sortKey(int number, int column) const
{
    const DiffRow& row = this->row(number);
    switch (column) {
    case BeforeColumn: return QVariant::fromValue<qlonglong>(row.before.bytes);
    case AfterColumn: return QVariant::fromValue<qlonglong>(row.after.bytes);
    case DeltaColumn: return QVariant::fromValue<qlonglong>(row.delta());
    case EachColumn: return row.sizeRatio().value_or(0);
    default: return text(number, column);
    }
}

QVariant DiffModel::color(const DiffRow& row, int column) const
{
    if (column == StatusColumn || column == EachColumn)
        return m_colors.quietText;
    if (column != DeltaColumn || row.delta() == 0)
        return {};
    return row.delta() > 0 ? m_colors.danger : m_colors.better;
}

static bool isBytes(int column)
{
    return column >= DiffModel::BeforeColumn && column <= DiffModel::DeltaColumn;
}

void DiffModel::setNotes(std::vector<RowNote> notes)
{
    m_notes = std::move(notes);
    if (rowCount() > 0)
        emit dataChanged(index(0, KeyColumn), index(rowCount() - 1, KeyColumn), {Qt::DecorationRole});
}

QVariant DiffModel::badge(const DiffRow& row) const
{
    if (m_notes.empty())
        return {};
    const std::string_view group = toText(m_diff->group);
    std::vector<const NoteFlag*> notes;
    for (const RowNote& note : m_notes)
        if (note.row.group == group
            && (note.row.key == row.key || (!row.beforeKey.empty() && note.row.key == row.beforeKey)))
            notes.push_back(&note.flag);
    return notes.empty() ? emptyBadgePixmap(QGuiApplication::font())
                         : badgePixmap(badgeOf(notes), QGuiApplication::font());
}

QVariant DiffModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const DiffRow& of = row(index.row());
    switch (role) {
    case Qt::DecorationRole: return index.column() == KeyColumn ? badge(of) : QVariant();
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::ToolTipRole: return tip(of, index.column());
    case Qt::ForegroundRole: return color(of, index.column());
    case SortRole: return sortKey(index.row(), index.column());
    case kExactRole: return isBytes(index.column()) ? sortKey(index.row(), index.column()) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter
            | (index.column() >= BeforeColumn && index.column() <= EachColumn ? Qt::AlignRight
                                                                              : Qt::AlignLeft));
    default: return {};
    }
}

QVariant DiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter
            | (section >= BeforeColumn && section <= EachColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section == EachColumn)
        return tr("How the size of each allocation changed, where all of a row are of one size");
    if (role == kExactRole)
        return exactUnit(isBytes(section) ? kBytesUnit : nullptr);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case KeyColumn: {
        const QString noun = m_diff ? rowNoun(m_diff->group) : tr("row");
        return noun.left(1).toUpper() + noun.mid(1);
    }
    case BeforeColumn: return tr("Before");
    case AfterColumn: return tr("After");
    case DeltaColumn: return tr("Difference");
    case EachColumn: return tr("Each");
    case StatusColumn: return tr("Status");
    default: return {};
    }
}

} // namespace highwater::gui
