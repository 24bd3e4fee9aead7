#pragma once

#include <QAbstractListModel>

#include "app/workspace/notes/note_context.h"
#include "app/workspace/notes/note_list.h"

namespace highwater::gui {

/// The notes of a list in their order, one row each: title, place in words, colour. Rows can be dragged to
/// another position; the move can be undone.
class NoteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    static constexpr int kPlaceRole = Qt::UserRole; ///< QString
    static constexpr int kColorRole = Qt::UserRole + 1; ///< QColor

    /// `list` and `context` must outlive the model.
    NoteModel(NoteList& list, const NoteContext& context, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) const override;
    /// Moves one row in front of row `before`, as item models count. Returns false if that is impossible or
    /// changes nothing.
    bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) override;
    /// Moves the note and returns false, because the view must not remove the dragged row itself.
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) override;

private:
    void connectList();

    NoteList& m_list;
    const NoteContext& m_context;
};

} // namespace highwater::gui
