#pragma once

#include <QAbstractListModel>

#include "app/workspace/notes/note_context.h"
#include "app/workspace/notes/note_list.h"

namespace highwater::gui {

/// The notes of a list, one row each in their order: the title, the place in words, the colour. Rows can be
/// dragged to another place in the order, which is a command that can be undone.
class NoteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    static constexpr int kPlaceRole = Qt::UserRole; ///< QString
    static constexpr int kColorRole = Qt::UserRole + 1; ///< QColor

    /// Both must outlive it.
    NoteModel(NoteList& list, const NoteContext& context, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) const override;
    /// One row; as item models have it, to before the row `before`.
    bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) override;
    /// Moves the note and answers false: the view has nothing to take away.
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) override;

private:
    void connectList();

    NoteList& m_list;
    const NoteContext& m_context;
};

} // namespace highwater::gui
