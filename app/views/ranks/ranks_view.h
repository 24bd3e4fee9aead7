#pragma once

#include <memory>
#include <optional>

#include "app/models/table_model.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/document/run_loader.h"

class QComboBox;
class QLabel;
class QTableView;

namespace highwater::gui {

class FigureView;
class RankOverlay;

/// The files of a run compared: outliers in words, a bar for each peak, all totals overlaid, and a table.
/// Choosing one requests that it is shown.
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
    /// The text at the top: outliers, files not loaded, files kept as figures only.
    QString text() const;

    FigureView& bars() { return *m_bars; }
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
    void refreshPictures();
    void selectShown();
    void showTable();
    std::size_t fileAt(int row) const { return m_files[m_model->rowAt(row)]; }
    int rowOf(std::size_t file) const;
    QStringList loadingSentences() const;

    RunLoader& m_run;
    std::optional<std::size_t> m_shown;
    bool m_stale = true;
    bool m_selecting = false; ///< the table follows, it does not lead
    QLabel* m_sentences;
    QComboBox* m_axis;
    FigureView* m_bars;
    RankOverlay* m_overlay;
    TableModel* m_model;
    std::vector<std::size_t> m_files; ///< in `RunLoader::files`, by row of the table
    QTableView* m_table;
};

} // namespace highwater::gui
