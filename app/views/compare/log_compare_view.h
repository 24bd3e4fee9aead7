#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "app/models/table_model.h"
#include "app/workspace/document/document.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/diff/log_diff.h"

class QAction;
class QComboBox;
class QLabel;
class QSplitter;
class QTableView;

namespace highwater::gui {

class CompareHeader;
class FigureView;

/// A comparison of two logs: whether the peak changed, in a sentence; a memory series of both overlaid; the
/// series that both have; the settings that differ; and the out-of-memory messages of either.
class LogCompareView : public QWidget
{
    Q_OBJECT

public:
    explicit LogCompareView(QWidget* parent = nullptr);
    ~LogCompareView() override;

    /// Computed off the GUI thread; the previous content stays visible until it is ready.
    void compare(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after);
    /// Exchanges before and after.
    void swap();
    void clear();
    void setColors(const ThemeColors& colors);
    bool isSettled() const { return m_diff && !m_task.isBusy(); }

    /// Null while there are none.
    const std::shared_ptr<const Document>& before() const { return m_before; }
    const std::shared_ptr<const Document>& after() const { return m_after; }
    /// Null until it is there.
    const std::shared_ptr<const LogDiff>& diff() const { return m_diff; }
    /// In `LogDiff::series`, the pair whose picture is shown; none: there is no series in bytes.
    std::optional<std::size_t> shownSeries() const;
    QString failuresText() const;
    QString statusText() const;

    CompareHeader& header() { return *m_header; }
    FigureView& chart() { return *m_chart; }
    QComboBox& chooser() { return *m_chooser; }
    QTableView& series() { return *m_series; }
    QTableView& settings() { return *m_settings; }

signals:
    void settled();
    void closeRequested();

private:
    QWidget* makeToolBar();
    QWidget* makeRight();
    void layOut();
    void accept(std::shared_ptr<const LogDiff> diff);
    void fillChooser();
    void fillSeries();
    void fillSettings();
    void fillFailures();
    void showChart();
    void chooseFromTable();

    std::shared_ptr<const Document> m_before;
    std::shared_ptr<const Document> m_after;
    std::shared_ptr<const LogDiff> m_diff;
    CompareHeader* m_header;
    FigureView* m_chart;
    QComboBox* m_chooser;
    TableModel* m_seriesModel;
    QWidget* m_seriesPane;
    QTableView* m_series;
    TableModel* m_settingsModel;
    QLabel* m_settingsTitle;
    QTableView* m_settings;
    QLabel* m_failures;
    QAction* m_chooserAction = nullptr;
    QAction* m_swap = nullptr;
    QAction* m_close = nullptr;
    LatestTask m_task;
};

} // namespace highwater::gui
