#pragma once

#include "app/models/figure_table_model.h"
#include "app/views/moment/moment_page.h"
#include "core/analysis/stacks/call_partners.h"

class QLabel;
class QTableView;

namespace highwater::gui {

class ShareDelegate;

/// All functions of a moment; of the chosen one who calls it and what it calls. Enter or a double click on a
/// caller or callee chooses that one.
class MomentCallersPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentCallersPage(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    QString text(bool onlySelected) const override;
    /// Back to the function chosen before.
    bool canGoBack() const override { return !m_before.empty(); }
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
    QTableView* addTable(FigureTableModel* model, const QString& name, QLabel* title, QWidget* into);
    void layOut();
    void accept(const Functions& functions);
    void chooseFunction();
    void showPartners(FunctionId function);
    void follow(const FigureTableModel& model, int row);
    /// Selects the function's row, where it is shown.
    void select(FunctionId function);
    std::shared_ptr<const FigureTable> tableOf(
        const std::vector<CallPartners::Partner>& partners, Bytes whole) const;

    std::shared_ptr<const CallTree> m_tree;
    FunctionId m_chosen;
    std::vector<FunctionId> m_before;
    std::string m_chosenLabel; ///< to find it again in another moment
    FigureTableModel* m_functionModel;
    FigureTableModel* m_callerModel;
    FigureTableModel* m_calleeModel;
    ShareDelegate* m_delegate;
    QTableView* m_functions;
    QTableView* m_callers;
    QTableView* m_callees;
    QLabel* m_callerTitle;
    QLabel* m_calleeTitle;
};

} // namespace highwater::gui
