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
class QListWidget;
class QTableView;
class QTreeWidget;

namespace highwater::gui {

class LogModel;
class SeriesChart;
class TableModel;

/// A log: its text, its series as a chart, and its failures, each leading to the other. As a
/// tab below a timeline it also leads there, where both tell the time.
class LogView : public AnalysisPanel
{
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);
    ~LogView() override;

    /// `log.trace` null: none. The text is read on a thread of its own.
    void showLog(const QString& path, const ClockedTrace& log);
    bool hasLog() const { return m_log.trace != nullptr; }
    /// The log's times on the clock of the timeline have moved.
    void setOffset(Nanoseconds offset) { m_log.offset = offset; }

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_task.isBusy(); }
    /// A note on the chosen line.
    std::optional<Note> noteHere() const override;
    void showNotes(const Notes& notes, const NoteSubject& subject) override;
    /// Name of the log without folders; empty: there is none.
    QString fileName() const;

    /// To the last line that was written by this time of the timeline's clock, where the log tells times.
    void followTimeline(Nanoseconds time);
    /// 1-based.
    void goToLine(std::uint64_t line);
    std::uint64_t currentLine() const;
    SeriesChart& chart() { return *m_chart; }
    QListView& lines() { return *m_lines; }
    QListWidget& failures() { return *m_failures; }
    QTreeWidget& series() { return *m_series; }
    /// The text above the list: the contents of the log.
    QString summary() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void layOut();
    void connectParts();
    void readText();
    void acceptText(const Result<std::shared_ptr<const LogText>>& text);
    void fillSeries();
    void checkOne();
    void fillFailures();
    void showChecked();
    void followLine();
    void leadToTimeline(Nanoseconds time);
    void connectNotes();

    QString m_path;
    ClockedTrace m_log;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const LogText> m_text;
    LatestTask m_task;
    StopToken m_stop;
    LogTimes m_times;
    bool m_leads = false; ///< the timeline moves because the log did
    bool m_fills = false;
    QLabel* m_summary;
    QTreeWidget* m_series;
    SeriesChart* m_chart;
    QListWidget* m_failures;
    TableModel* m_rankModel;
    QTableView* m_ranks; ///< of a log whose ranks failed together
    QListView* m_lines;
    QWidget* m_textPane; ///< the lines; hidden where the file is no text
    QLabel* m_state;
    LogModel* m_model;
};

} // namespace highwater::gui
