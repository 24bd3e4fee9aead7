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
    /// True if another function of this moment was chosen before.
    bool canGoBack() const override { return !m_history.empty(); }
    void goBack() override;

    QTableView& functions() { return *m_functions; }
    QTableView& callers() { return *m_callers; }
    QTableView& callees() { return *m_callees; }

protected:
    void refresh() override;

private:
    struct Functions
    {
        std::shared_ptr<const CallTree> tree;
        std::shared_ptr<const FigureTable> table;
    };

    static Functions functionsOf(const Moment& moment, const MomentOptions& options);
    /// A table on screen with its rows. The id of a row is a function.
    struct ShownTable
    {
        TableModel* model = nullptr;
        std::shared_ptr<const FigureTable> rows;
        FunctionId at(int row) const { return FunctionId(rows->rows[model->rowAt(row)].id); }
    };
    void showRows(
        ShownTable& target, std::shared_ptr<const FigureTable> rows, const char* title, bool hasSelf = false);
    QTableView* addTable(TableModel* model, const QString& name, QLabel* title, QWidget* pane);
    void layOut();
    void acceptFunctions(const Functions& functions);
    void chooseFunction();
    void showPartners(FunctionId function);
    /// Selects the function's row if it is shown.
    void select(FunctionId function);
    int rowOf(FunctionId function) const;
    std::shared_ptr<const FigureTable> tableOf(
        const std::vector<CallPartners::Partner>& partners, Bytes wholeBytes) const;

    std::shared_ptr<const CallTree> m_tree;
    FunctionId m_chosen;
    std::vector<FunctionId> m_history;
    std::string m_chosenLabel; ///< label of the chosen function, which finds it again in another moment
    ShownTable m_functionRows;
    ShownTable m_callerRows;
    ShownTable m_calleeRows;
    ShareDelegate* m_delegate;
    QTableView* m_functions;
    QTableView* m_callers;
    QTableView* m_callees;
    QLabel* m_callerTitle;
    QLabel* m_calleeTitle;
};

} // namespace highwater::gui
