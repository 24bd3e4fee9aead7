#include "app/models/note_model.h"

#include <QMimeData>

#include "app/workspace/theme/note_badge.h"

namespace highwater::gui {

namespace {

/// Returns the type of the data of a dragged row.
QString rowType()
{
    return QStringLiteral("application/x-highwater-note-row");
}

} // namespace

NoteModel::NoteModel(NoteList& list, const NoteContext& context, QObject* parent)
    : QAbstractListModel(parent)
    , m_list(list)
    , m_context(context)
{
    connectList();
    connect(&m_context, &NoteContext::changed, this, [this] {
        if (rowCount() > 0)
            emit dataChanged(index(0), index(rowCount() - 1));
    });
}

void NoteModel::connectList()
{
    connect(&m_list, &NoteList::aboutToInsert, this, [this](int row) { beginInsertRows({}, row, row); });
    connect(&m_list, &NoteList::inserted, this, [this] { endInsertRows(); });
    connect(&m_list, &NoteList::aboutToRemove, this, [this](int row) { beginRemoveRows({}, row, row); });
    connect(&m_list, &NoteList::removed, this, [this] { endRemoveRows(); });
    // Item models name the row before which the moved one goes.
    connect(&m_list, &NoteList::aboutToMove, this,
        [this](int from, int to) { beginMoveRows({}, from, from, {}, to > from ? to + 1 : to); });
    connect(&m_list, &NoteList::moved, this, [this] { endMoveRows(); });
    connect(&m_list, &NoteList::edited, this, [this](int row) { emit dataChanged(index(row), index(row)); });
    connect(&m_list, &NoteList::aboutToReplaceAll, this, [this] { beginResetModel(); });
    connect(&m_list, &NoteList::replacedAll, this, [this] { endResetModel(); });
}

int NoteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_list.size();
}

QVariant NoteModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Note& note = m_list.notes()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return titleOf(note);
    case kPlaceRole: return m_context.placeOf(note);
    case kColorRole: return noteQColor(note.color);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("%1  %2\n%3").arg(index.row() + 1).arg(titleOf(note), m_context.placeOf(note));
    default: return {};
    }
}

Qt::ItemFlags NoteModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled; // rows are dropped between others
    return Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList NoteModel::mimeTypes() const
{
    return {rowType()};
}

QMimeData* NoteModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(rowType(), QByteArray::number(indexes.first().row()));
    return data;
}

bool NoteModel::canDropMimeData(
    const QMimeData* data, Qt::DropAction action, int, int, const QModelIndex& parent) const
{
    return data->hasFormat(rowType()) && action == Qt::MoveAction && !parent.isValid();
}

bool NoteModel::moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before)
{
    const int last = before > row ? before - 1 : before;
    const bool isValidMove = !from.isValid() && !to.isValid() && count == 1 && row != last && row >= 0
        && row < rowCount() && last >= 0 && last < rowCount();
    if (isValidMove)
        m_list.move(row, last);
    return isValidMove;
}

bool NoteModel::dropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent)
{
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    const int from = data->data(rowType()).toInt();
    moveRows({}, from, 1, {}, row < 0 ? m_list.size() : row);
    return false;
}

} // namespace highwater::gui
