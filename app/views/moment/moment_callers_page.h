#pragma once

#include "app/models/table_model.h"
#include "app/views/moment/moment_page.h"
#include "core/analysis/stacks/call_partners.h"
#include "core/table/figure_table.h"

class QLabel;
class QTableView;

namespace highwater::gui {

class ShareDelegate;

/// All functions on the stacks of a moment's allocations, and the callers and callees of the chosen function.
/// Enter or a double click on a caller or callee chooses that function; `goBack` returns to the function
/// chosen before.
class MomentCallersPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentCallersPage(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    QString text(bool onlySelected) const override;
    /// True if another function was chosen since the functions were last computed, for the moment, the
    /// options and the search.
    bool canGoBack() const override { return !m_history.empty(); }
    void goBack() override;

    QTableView& functionView() { return *m_functionView; }
    QTableView& callerView() { return *m_callerView; }
    QTableView& calleeView() { return *m_calleeView; }

protected:
    void refresh() override;

private:
    /// A call tree, and the totals of its functions as rows. Null without a moment.
    struct FunctionData
    {
        std::shared_ptr<const CallTree> tree;
        std::shared_ptr<const FigureTable> table;
    };

    static FunctionData functionsOf(const Moment& moment, const MomentOptions& options);
    /// The model of a table on screen and its data. The id of a row of data is a function.
    struct ShownTable
    {
        TableModel* model = nullptr;
        std::shared_ptr<const FigureTable> data;
        /// Returns the function of a row on screen, after sorting and filtering.
        FunctionId functionAt(int shownRow) const
        {
            return FunctionId(data->rows[model->rowAt(shownRow)].id);
        }
    };
    void showRows(ShownTable& target, std::shared_ptr<const FigureTable> table, const char* title,
        bool hasSelf = false);
    QTableView* addTable(TableModel* model, const QString& name, QLabel* title, QWidget* pane);
    void layOut();
    void acceptFunctions(const FunctionData& functions);
    void chooseFunction();
    void showPartners(FunctionId function);
    /// Selects the function's row if it is shown. If that changes the selection, it also chooses the function
    /// (`chooseFunction`), which adds the previous one to the history, unless signals are blocked.
    void selectRowOf(FunctionId function);
    int rowOf(FunctionId function) const;
    std::shared_ptr<const FigureTable> tableOf(
        const std::vector<CallPartners::Partner>& partners, Bytes wholeBytes) const;

    std::shared_ptr<const CallTree> m_tree;
    FunctionId m_chosen;
    std::vector<FunctionId> m_history;
    std::string m_chosenLabel; ///< label of the chosen function, which finds it again in another moment
    ShownTable m_functionTable;
    ShownTable m_callerTable;
    ShownTable m_calleeTable;
    ShareDelegate* m_delegate;
    QTableView* m_functionView;
    QTableView* m_callerView;
    QTableView* m_calleeView;
    QLabel* m_callerTitle;
    QLabel* m_calleeTitle;
};

} // namespace highwater::gui
