#pragma once

#include <memory>

#include "app/loading/log_text.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/analysis/logs/log_times.h"
#include "core/figure/drawing/note_flag.h"
#include "core/run/clock.h"

class QLabel;
class QListView;
class QSplitter;
class QTabWidget;
class QTableView;

namespace highwater::gui {

class LogModel;
class SeriesChart;
class SeriesList;
class TableModel;
class WholeLine;

/// A log: its text below its failures, the selected line whole if it is cut, and, if it has series, a chart
/// and a tab of them. A click on a point and a double click on a failure go to the line. Below a timeline,
/// the log and the timeline also follow each other, if both have times.
class LogView : public AnalysisPanel
{
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);
    ~LogView() override;

    /// Shows a log, or nothing if `log.trace` is null. The text, if it is readable, is read on another
    /// thread.
    void showLog(const QString& path, const ClockedTrace& log);
    bool hasLog() const { return m_log.trace != nullptr; }
    /// Sets how far the log's clock is shifted against the timeline's.
    void setOffset(Nanoseconds offset) { m_log.offset = offset; }

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_task.isBusy(); }
    /// Returns a new note on the current line; nullopt if there is none.
    std::optional<Note> noteHere() const override;
    void showNotes(const Notes& notes, const NoteSubject& subject) override;
    /// File name of the log without folders; empty if there is no log.
    QString fileName() const;

    /// Goes to the last line that was written up to this time on the timeline's clock, if the log has times.
    /// Does nothing while the log is hidden.
    void followTimeline(Nanoseconds time);
    /// Goes to a line, counted from 1. Does nothing if the text has no such line or is not read yet.
    void goToLine(std::uint64_t line);
    /// Returns the current line, counted from 1; 0 if there is none.
    std::uint64_t currentLine() const;
    SeriesChart& chart() { return *m_chart; }
    QListView& lines() { return *m_lines; }
    /// Returns the failures, one row each, sorted by a click on a title.
    QTableView& failures() { return *m_failures; }
    SeriesList& series() { return *m_series; }
    /// Returns the tabs next to the text. A page may add its own, and shows and hides them by `showTab`.
    QTabWidget& tabs() { return *m_tabs; }
    /// Shows or hides a tab. A single tab has no tab bar; without any, the text has the room of the chart,
    /// too.
    void showTab(int tab, bool isShown);
    /// Returns the text in place of the chart if there is no line to draw: the single values, or how to get a
    /// line; else empty.
    QString undrawnText() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void connectParts();
    void readText();
    void acceptText(const Result<std::shared_ptr<const LogText>>& text);
    void fillFailures();
    void fitFailures();
    void fitChartPane();
    void showChecked();
    void goToFailure(const QModelIndex& row);
    void followLine();
    void showWholeLine();
    void leadToTimeline(Nanoseconds time);
    void connectNotes();

    QString m_path;
    ClockedTrace m_log;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const LogText> m_text;
    LatestTask m_task;
    StopToken m_stop;
    LogTimes m_times;
    bool m_isLeading = false; ///< true while the timeline is moved because the log moved
    QSplitter* m_besideText; ///< the chart and the tabs
    QWidget* m_chartPane; ///< the title and the chart, or the text in its place
    QLabel* m_title;
    SeriesChart* m_chart;
    QLabel* m_undrawn;
    QTabWidget* m_tabs;
    SeriesList* m_series;
    TableModel* m_failureModel;
    QTableView* m_failures;
    QListView* m_lines;
    WholeLine* m_wholeLine;
    QWidget* m_textPane; ///< the failures and the lines; hidden if there are neither
    QLabel* m_state;
    LogModel* m_model;
};

} // namespace highwater::gui
