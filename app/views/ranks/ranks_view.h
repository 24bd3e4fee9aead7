#pragma once

#include <optional>
#include <vector>

#include "app/models/table_model.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_loader.h"
#include "core/table/run_rank_tables.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QTableView;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class RankHeatView;
class RankOverlay;

/// The merged ranks of a run (`RunRanks`), with the same content as `highwater ranks`: sentences, a picture
/// (a map of ranks and steps, or all totals overlaid), and tables. Choosing a rank requests to show its file;
/// moving through the table does so only if the file is loaded. `run` must outlive the view.
class RanksView : public AnalysisPanel
{
    Q_OBJECT

public:
    explicit RanksView(RunLoader& run, QWidget* parent = nullptr);

    /// Does nothing: the device on screen does not change the run.
    void showDevice(std::shared_ptr<const DeviceAnalysis>) override { }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override { return !m_run.isLoading(); }

    /// Marks the file on screen, by its index in `RunLoader::files`; nullopt if there is none.
    void setShown(std::optional<std::size_t> file);
    /// Sets the findings of the file on screen; null if they are not known yet. If the rank of that file is
    /// the one to look at first, the text begins with the next step of these findings, also while other files
    /// are shown later.
    void showFindings(const RunStudy* study);
    /// Returns the text at the top: what to do about the rank to look at first, if known; the sentences of
    /// `RunRanks` that neither the diagnosis nor the table repeats; and which files are not loaded.
    QString text() const;

    RankHeatView& heat() { return *m_heat; }
    RankOverlay& overlay() { return *m_overlay; }
    QTableView& table() { return *m_table; }

signals:
    /// Requests to show this file, by its index in `RunLoader::files`.
    void fileRequested(int file);
    /// Requests to show the step with this number (`stepNumber`) in this file, and to zoom to it if `zooms`.
    void stepRequested(int file, qint64 number, bool zooms);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void connectParts();
    void markStale();
    void refresh();
    void refreshText();
    void fitAnswer();
    int placeChoosers(bool isShort);
    bool isMainShown() const;
    void rememberNext();
    void refreshPictures();
    void offerTables();
    void showTable();
    void selectShown();
    void showPicture();
    void requestRank(std::size_t rank);
    void requestStep(std::size_t rank, std::size_t column, bool zooms);
    std::optional<std::size_t> fileOf(std::size_t rank) const;
    /// Returns the rank of a row, as an index in `RunRanks::ranks`; nullopt if the row is not about a single
    /// rank.
    std::optional<std::size_t> rankAt(int row) const;
    /// Returns the rank of a file, as an index in `RunRanks::ranks`; nullopt if the file is no rank. `file`
    /// is an index in `RunLoader::files`.
    std::optional<std::size_t> rankOf(std::size_t file) const;
    QStringList sentences() const;
    QStringList loadingSentences() const;

    RunLoader& m_run;
    std::shared_ptr<const RunRanks> m_ranks; ///< the ranks on screen; null if there are none
    std::vector<std::size_t> m_rankOfRow; ///< by row; empty if rows are not single ranks
    std::optional<std::size_t> m_shown;
    QString m_next; ///< what to do about the file on screen; empty if unknown
    QString m_mainNext; ///< what to do about the rank to look at first
    std::string m_mainPath; ///< path of that rank's file; empty if m_mainNext is not known
    bool m_isStale = true;
    bool m_isSelecting = false; ///< the table is being set from the shown file, not by the user
    QLabel* m_sentences;
    QScrollArea* m_answer; ///< scrolls the sentences, except in a short view
    QBoxLayout* m_choosers = nullptr; ///< `m_chartChooser` and `m_tableChooser`
    QComboBox* m_chartChooser;
    QComboBox* m_tableChooser;
    QStackedWidget* m_charts; ///< `m_heat` and `m_overlay`
    RankHeatView* m_heat;
    RankOverlay* m_overlay;
    TableModel* m_model;
    QTableView* m_table;
};

} // namespace highwater::gui
