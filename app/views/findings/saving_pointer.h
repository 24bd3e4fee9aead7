#pragma once

#include <optional>

#include <QAbstractItemView>
#include <QObject>

namespace highwater::gui {

/// Observes at which saving the user points in the list of findings: the mouse enters the bytes of a row and
/// stays in the row, or the keyboard makes the row the current one.
class SavingPointer : public QObject
{
    Q_OBJECT

public:
    /// Owned by the list, whose rows have `FindingDelegate::kFixRole`. The list must track the mouse.
    explicit SavingPointer(QAbstractItemView* list);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// The number of the finding; nullopt if the user points at no saving.
    void pointedAt(std::optional<std::size_t> finding);

private:
    void enter(const QModelIndex& cell);
    void pointAtRow(const QModelIndex& cell);

    QAbstractItemView& m_list;
    std::optional<std::size_t> m_finding;
    bool m_isKeyDown = false; ///< a key was pressed in the list
};

} // namespace highwater::gui
