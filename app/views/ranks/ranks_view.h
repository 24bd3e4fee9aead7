#pragma once

#include <optional>
#include <vector>

#include "app/models/table_model.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_loader.h"

class QComboBox;
class QLabel;
class QStackedWidget;
class QTableView;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class RankHeatView;
class RankOverlay;

/// The merged ranks of a run (`RunRanks`), as `highwater ranks` tells them: in words, as a map of ranks and
/// steps or all totals over each other, and as tables. Choosing a rank requests that its file is shown.
class RanksView : public AnalysisPanel
{
    Q_OBJECT

public:
    explicit RanksView(RunLoader& run, QWidget* parent = nullptr);

    /// The device on screen says nothing about the run.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_run.isLoading(); }

    /// Marks the file that is on screen.
    void setShown(std::optional<std::size_t> file);
    /// What has been found in it; null: that is not known yet. Its cause and next step are told where it is
    /// the rank to look at first.
    void showFindings(const RunStudy* study);
    /// The text at the top: who ran out of memory first, outliers, leaks, files that are no rank.
    QString text() const;

    RankHeatView& heat() { return *m_heat; }
    RankOverlay& overlay() { return *m_overlay; }
    QTableView& table() { return *m_table; }

signals:
    /// Show this file (in `RunLoader::files`).
    void fileRequested(int file);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    void connectParts();
    void noteChange();
    void refresh();
    void refreshText();
    void refreshPictures();
    void offerTables();
    void showTable();
    void selectShown();
    void showPicture();
    void request(std::size_t rank);
    /// In `RunRanks::ranks`; none: the row is about no single rank.
    std::optional<std::size_t> rankAt(int row) const;
    /// Of a file (in `RunLoader::files`).
    std::optional<std::size_t> rankOf(std::size_t file) const;
    QStringList loadingSentences() const;
    QStringList diagnosisSentences() const;

    RunLoader& m_run;
    std::shared_ptr<const RunRanks> m_ranks; ///< on screen; null: none
    std::vector<std::size_t> m_rankOfRow; ///< of the table on screen; empty: its rows are about no rank
    std::optional<std::size_t> m_shown;
    QString m_cause; ///< of the file on screen; empty: not known, or there is none
    QString m_next;
    bool m_stale = true;
    bool m_selecting = false; ///< the table follows, it does not lead
    QLabel* m_sentences;
    QComboBox* m_pictures;
    QComboBox* m_tables;
    QStackedWidget* m_picture;
    RankHeatView* m_heat;
    RankOverlay* m_overlay;
    TableModel* m_model;
    QTableView* m_table;
};

} // namespace highwater::gui
