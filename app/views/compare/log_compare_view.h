#pragma once

#include <memory>
#include <optional>

#include "app/models/table_model.h"
#include "app/views/pages/page.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/analysis/diff/logs/log_diff.h"

class QAction;
class QComboBox;
class QLabel;
class QTableView;

namespace highwater::gui {

class CompareHeader;
class FigureView;

/// A comparison of two logs: a sentence on whether the peak changed, a series in bytes of both logs overlaid,
/// the series that both have, the settings that differ, and the out-of-memory messages of each log.
class LogCompareView : public Page
{
    Q_OBJECT

public:
    explicit LogCompareView(QWidget* parent = nullptr);

    /// Computes the comparison off the GUI thread; the previous content stays visible until it is ready.
    void compare(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after);
    /// Exchanges before and after. Does nothing before the first comparison is computed.
    void swap() override;
    void clear();
    std::vector<NoteSubject> subjects() const override { return m_wanted; }
    PageOffers offers() const override;
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return m_diff && !m_task.isBusy(); }

    /// Returns the comparison on screen; null until it is computed.
    const std::shared_ptr<const LogDiff>& diff() const { return m_diff; }
    /// Returns the index in `LogDiff::series` of the drawn pair; nullopt if no series is in bytes.
    std::optional<std::size_t> shownSeries() const;
    QString statusText() const override;

    CompareHeader& header() { return *m_header; }
    FigureView& chart() { return *m_chart; }
    QComboBox& chooser() { return *m_chooser; }
    QTableView& series() { return *m_series; }
    QTableView& settings() { return *m_settings; }

private:
    QWidget* makeToolBar();
    QWidget* makeRight();
    void layOut();
    void acceptDiff(std::shared_ptr<const LogDiff> diff);
    void fillChooser();
    void fillSeries();
    void fillSettings();
    void fillFailures();
    void showChart();
    void chooseFromTable();

    std::vector<NoteSubject> m_wanted; ///< runs that are compared, or will be
    std::shared_ptr<const Document> m_before; ///< `m_before` and `m_after` are the documents of `m_diff`
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
