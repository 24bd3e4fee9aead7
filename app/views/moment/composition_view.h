#pragma once

#include <array>

#include "app/views/moment/moment_page.h"
#include "app/views/parts/analysis_panel.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace highwater::gui {

/// The allocations that are live at a moment, or that were allocated, freed or retained in a range, shown in
/// nine ways. All of them show the same allocations. A click on a row or rectangle highlights its allocations
/// in the timeline; a double click pins the largest of them; on a caller or callee
/// it chooses that function. Only the visible page computes.
class CompositionView : public AnalysisPanel
{
    Q_OBJECT

public:
    enum class Way
    {
        Table,
        TopDown,
        BottomUp,
        Callers,
        Flame,
        Treemap,
        Sizes,
        Lifetimes,
        Modules
    };
    static constexpr int kWayCount = 9;

    CompositionView(Selection& selection, BandView& bands, QWidget* parent = nullptr);

    void showDevice(std::shared_ptr<const DeviceAnalysis> analysis) override;
    void setColors(const ThemeColors& colors) override;
    bool isSettled() const override;
    bool fillsDetails() const override { return true; }
    std::optional<Note> noteHere() const override { return current().noteHere(); }

    /// Chooses which allocations are shown.
    void choose(MomentChoice choice);
    void setWay(Way way);
    Way way() const { return m_way; }
    MomentPage& page(Way way) { return *m_pages[static_cast<std::size_t>(way)]; }
    void setOptions(const MomentOptions& options);
    const MomentOptions& options() const { return m_options; }
    /// Returns the text above the pages: which allocations are shown, their bytes and their number; empty
    /// without a moment.
    QString heading() const;
    /// Returns the result of the search on the current page; empty without one.
    QString answer() const;
    /// Copies the heading and the text of the current page to the clipboard: the selected rows, or all.
    void copy(bool onlySelected);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makePages(const BandView& bands);
    QWidget* makeRow();
    QWidget* makeTitle();
    void offerCategories(const DeviceAnalysis& analysis);
    void takeCategory();
    void nameCursor();
    void makeOptions();
    void chooseGroup(const DeviceAnalysis& analysis);
    void nameGroup();
    template <typename Value>
    QComboBox* makeChoice(const char* name, const QString& tip,
        const std::vector<std::pair<QString, Value>>& values, void (CompositionView::*slot)());
    void takeOptions();
    void refresh();
    void refreshHeading();
    void followHighlight();
    bool canGoBack() const;
    void goBack();
    MomentPage& current() const { return *m_pages[static_cast<std::size_t>(m_way)]; }

    BandView& m_bands;
    ShownAllocations m_subject;
    MomentOptions m_options;
    Way m_way = Way::Table;
    std::array<MomentPage*, kWayCount> m_pages{};
    QLabel* m_heading;
    QLabel* m_answer;
    QComboBox* m_choices = nullptr;
    QComboBox* m_ways = nullptr;
    bool m_hasHighlight = false; ///< something was highlighted in the timeline
    bool m_hadOneSite = false; ///< the device shown last had only one call site
    QComboBox* m_group = nullptr;
    QComboBox* m_detail = nullptr;
    QComboBox* m_weight = nullptr;
    QComboBox* m_category;
    QLineEdit* m_search;
    QStackedWidget* m_stack;
};

} // namespace highwater::gui
