#pragma once

#include <optional>
#include <utility>

#include "app/models/table_model.h"
#include "app/views/pages/page.h"
#include "app/workspace/compare/sweep_session.h"

class QAction;
class QLabel;
class QSplitter;
class QTableView;

namespace highwater::gui {

class SparklineDelegate;

/// A comparison of three or more runs: the main results in sentences, a row for each run with its curve, and
/// the settings that differ. Two selected rows, or one row and the reference, can be compared. `session` must
/// outlive the view.
class SweepView : public Page
{
    Q_OBJECT

public:
    explicit SweepView(SweepSession& session, QWidget* parent = nullptr);

    /// Returns "5 runs".
    QString title() const override;
    PageOffers offers() const override { return {.close = true, .toolBar = false}; }
    bool isSettled() const override { return !m_session.isLoading(); }
    void setColors(const ThemeColors& colors) override;
    void takeFocus() override;
    /// Returns "5 runs, requested bytes"; empty without runs.
    QString statusText() const override;
    /// Returns the main results, one a line; while files are being read, how many have been read.
    QString sentences() const;

    QTableView& table() { return *m_table; }
    QTableView& settings() { return *m_settings; }
    QAction& compareAction() { return *m_compare; }

    /// Returns the two rows to compare, before and after; nullopt if the selection is no pair, or the
    /// reference is needed and has no figures. Selected runs without figures do not count. Two selected rows
    /// are in the order of the sweep, but the reference comes first. One selected row is compared with the
    /// reference.
    std::optional<std::pair<std::size_t, std::size_t>> pair() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// The numbers are rows of the sweep.
    void compareRequested(quint64 before, quint64 after);
    void openRequested(quint64 row);

private:
    void makeActions();
    QWidget* makeToolBar();
    void layOut();
    void connectParts();
    void refresh();
    void refreshSettings();
    bool hasFigures(int row) const;
    void fitSettingsHeight();
    void fitCurves();
    void fitRows();
    void followSelection();
    void comparePair();
    std::vector<std::size_t> selectedRuns() const;

    SweepSession& m_session;
    TableModel* m_model;
    TableModel* m_settingsModel;
    QLabel* m_headline; ///< the first sentence
    QLabel* m_sentences; ///< the others
    QTableView* m_table;
    QLabel* m_settingsTitle;
    QTableView* m_settings;
    QSplitter* m_splitter;
    SparklineDelegate* m_curves;
    QAction* m_compare = nullptr;
    QAction* m_reference = nullptr;
    QAction* m_open = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_close = nullptr;
};

} // namespace highwater::gui
