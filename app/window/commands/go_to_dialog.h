#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QDialog>

#include "app/workspace/view/go_to_target.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace highwater::gui {

/// Asks where to go, and shows the place while the user types. `target` returns the selected place.
class GoToDialog : public QDialog
{
    Q_OBJECT

public:
    /// Maximum number of places in the list.
    static constexpr std::size_t kMaxListed = 200;

    GoToDialog(std::shared_ptr<const DeviceAnalysis> analysis, std::optional<std::int64_t> cursor,
        QWidget* parent = nullptr);

    /// Returns the selected place, or nothing while the text is not understood.
    std::optional<GoToTarget> target() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void refresh();
    void showList();
    void showPreview();

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::optional<std::int64_t> m_cursor;
    std::vector<GoToTarget> m_targets; ///< empty while the text is not understood
    QString m_problem;
    QLineEdit* m_field;
    QLabel* m_preview;
    QListWidget* m_list;
    QPushButton* m_goButton;
};

} // namespace highwater::gui
