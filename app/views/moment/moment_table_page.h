#pragma once

#include "app/models/table_model.h"
#include "app/views/moment/moment_page.h"
#include "app/views/parts/share_delegate.h"
#include "core/table/figure_table.h"

class QTableView;

namespace highwater::gui {

/// The allocations of a moment as a table of groups, by call site, stack, category, … The bars have the
/// colours of the timeline's bands where both are of call sites, else those of categories. `bands` must
/// outlive the page.
class MomentTablePage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentTablePage(const BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    QString text(bool onlySelected) const override;
    std::optional<Note> noteHere() const override;
    QTableView& table() { return *m_table; }

protected:
    void refresh() override;

private:
    struct Groups
    {
        std::shared_ptr<const FigureTable> table;
        std::shared_ptr<const std::vector<std::uint32_t>> groupOf; ///< by position in the set
        std::vector<AllocationIndex> examples; ///< by row id, the largest of the row's largest category
    };

    static Groups allocationRows(const std::shared_ptr<const DeviceAnalysis>& analysis, const LiveSet& set);
    static Groups groupsOf(const Moment& moment, const MomentOptions& options);
    void acceptGroups(const Groups& groups);
    std::vector<bool> selectedMembers() const;
    void chooseRows();
    void openRow(const QModelIndex& index);
    void showMatchCount();
    void addNoteAction();
    bool isOfOneSite() const;
    std::optional<ThemedColor> colorOf(int row, bool isKept) const;
    ShareDelegate::KeptPart keptPartOf(int row) const;
    std::vector<bool> membersOfRow(int row) const;

    std::uint32_t idOf(int row) const { return m_rows->rows[m_model->rowAt(row)].id; }

    const BandView& m_bands;
    TableModel* m_model;
    std::shared_ptr<const FigureTable> m_rows; ///< rows of the model
    QTableView* m_table = nullptr;
    GroupKey m_group = GroupKey::Site; ///< grouping of the rows on screen
    ShareDelegate* m_delegate;
    std::shared_ptr<const std::vector<std::uint32_t>> m_groupOf;
    std::vector<AllocationIndex> m_examples;
};

/// Makes a table of figures, sorted by bytes: whole rows are selected, and the numbers are next to the names.
/// The table does not own the model or the delegate.
QTableView* makeFigureTable(TableModel& model, ShareDelegate& delegate, QWidget* parent);

} // namespace highwater::gui
