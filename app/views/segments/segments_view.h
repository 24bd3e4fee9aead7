#pragma once

#include <memory>
#include <optional>

#include <QTimer>

#include "app/models/table_model.h"
#include "app/views/parts/analysis_panel.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/band_view.h"
#include "app/workspace/view/selection.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/segments/free_block_origins.h"

class QComboBox;
class QLabel;
class QSplitter;
class QTableView;
class QTabWidget;
class QToolButton;

namespace highwater::gui {

class AddressMapView;
class ReplayPanel;

/// Shows where the reserved memory is: an address map of the allocator's segments at the cursor, their free
/// blocks and the allocations that hold them; at an out-of-memory event also why it happened. The map follows
/// the cursor, and its keys move the cursor from event to event or from step to step. The first moment costs
/// a walk over the whole trace, off the GUI thread.
class SegmentsView : public AnalysisPanel
{
    Q_OBJECT

public:
    /// Blocks have the colours of the timeline, from `bands`. `selection` and `bands` must outlive the view.
    SegmentsView(Selection& selection, const BandView& bands, QWidget* parent = nullptr);
    ~SegmentsView() override;

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    /// Sets the limit of the process that a log of the run states, which may explain a failed request.
    void setProcessLimit(std::optional<Bytes> limit);
    bool fillsDetails() const override { return true; }
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override;

    /// Returns the moment on screen; null if there is none.
    const std::shared_ptr<const AllocatorMoment>& moment() const { return m_moment; }
    AddressMapView& map() { return *m_map; }
    QTableView& partlyFreeTableView() { return *m_partlyFreeTable; }
    QTableView& freeBlockTableView() { return *m_freeBlockTable; }
    ReplayPanel& replays() { return *m_replays; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The history of a device, which its first task fills. Tasks run one at a time, so no lock is needed.
    struct HistorySlot
    {
        std::shared_ptr<const SegmentHistory> history;

        /// Builds the history once; call on one thread at a time.
        void build(const DeviceAnalysis& analysis);
    };

    void layOut();
    QWidget* makeControls();
    QTableView* addTable(TableModel& model, const QString& name, const QString& title);
    void connectParts();
    void followMoment();
    void buildHistoryAhead();
    void followPalette();
    std::int64_t wantedEvent() const;
    void acceptMoment(std::shared_ptr<const AllocatorMoment> moment, std::vector<FreeBlockOrigin> freeBlocks);
    void showNothing(const QString& why);
    void fillTables();
    void openAdviceOfFailure();
    void acceptReplays();
    void fillText();
    void fillVerdict();
    void fillLegend();
    QString momentText() const;
    QString headlineTip() const;
    void showSentences();
    void choosePartlyFree(const QModelIndex& index);
    void chooseFreeBlock(const QModelIndex& index);
    void pin(AllocationIndex allocation);
    void walk(int direction, bool bySteps);

    Selection& m_selection;
    const BandView& m_bands;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<HistorySlot> m_history;
    std::shared_ptr<const AllocatorMoment> m_moment;
    std::vector<FreeBlockOrigin> m_freeBlocks; ///< the largest free blocks of the moment
    std::optional<std::int64_t> m_requestedEvent; ///< event of the moment that was requested last
    std::optional<Bytes> m_processLimit; ///< as in `oomVerdict`
    std::optional<std::int64_t> m_walkedTo; ///< event that `walk` reached last, with keys or buttons
    bool m_isInitialTabChosen = false; ///< for this device; then the user chooses
    bool m_isAdviceOpened = false; ///< the advice was opened with the device, not by the user
    bool m_isFilling = false; ///< tables are being filled, not used by the user
    ThemeColors m_colors;
    LatestTask m_task;
    QTimer m_aheadTimer; ///< delays `buildHistoryAhead`, because the timeline comes first
    FrameThrottle m_followThrottle;
    QLabel* m_headline; ///< which moment is shown
    QLabel* m_composition;
    QLabel* m_verdict;
    QLabel* m_obstacle;
    QLabel* m_remarks; ///< on reserved memory, and why there is no advice
    QWidget* m_controls = nullptr; ///< hidden without segments
    QComboBox* m_order;
    QLabel* m_legend = nullptr;
    QToolButton* m_showTables = nullptr;
    QSplitter* m_splitter;
    AddressMapView* m_map;
    QTabWidget* m_tables;
    TableModel m_listModel;
    TableModel m_freeBlockModel;
    TableModel m_partlyFreeModel;
    QTableView* m_partlyFreeTable = nullptr;
    QTableView* m_freeBlockTable = nullptr;
    ReplayPanel* m_replays;
};

} // namespace highwater::gui
