#include "app/views/moment/moment_callers_page.h"

#include <algorithm>

#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "app/models/call_tree_model.h"
#include "app/views/moment/moment_table_page.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/share_delegate.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

MomentCallersPage::MomentCallersPage(QWidget* parent)
    : MomentPage(parent)
    , m_functionTable{new TableModel(this), {}}
    , m_callerTable{new TableModel(this), {}}
    , m_calleeTable{new TableModel(this), {}}
    , m_delegate(new ShareDelegate(this))
    , m_callerTitle(new ElidedLabel(this))
    , m_calleeTitle(new ElidedLabel(this))
{
    showRows(m_functionTable, nullptr, "Function", true);
    showRows(m_callerTable, nullptr, "Caller");
    showRows(m_calleeTable, nullptr, "Callee");
    layOut();
    connect(m_functionView->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &MomentCallersPage::chooseFunction);
    connect(m_functionView, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        std::vector<bool> chosen;
        for (const CallNode& node : m_tree->nodes)
            chosen.push_back(node.function == m_functionTable.functionAt(index.row()));
        pinLargest(membersOf(*m_tree, chosen));
    });
    connect(m_callerView, &QTableView::activated, this,
        [this](const QModelIndex& index) { selectRowOf(m_callerTable.functionAt(index.row())); });
    connect(m_calleeView, &QTableView::activated, this,
        [this](const QModelIndex& index) { selectRowOf(m_calleeTable.functionAt(index.row())); });
}

QTableView* MomentCallersPage::addTable(TableModel* model, const QString& name, QLabel* title, QWidget* pane)
{
    QTableView* table = makeFigureTable(*model, *m_delegate, pane);
    table->setObjectName(name);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setColumnWidth(BytesColumn, // leaves more for the bars
        table->fontMetrics().horizontalAdvance(QStringLiteral("1,023.99 GiB")) + 2 * kCellPadding);
    auto* layout = qobject_cast<QVBoxLayout*>(pane->layout());
    if (!layout) {
        layout = new QVBoxLayout(pane);
        layout->setContentsMargins(10, 0, 0, 0);
        layout->setSpacing(2);
    }
    if (title) {
        title->setProperty("quiet", true);
        title->setContentsMargins(2, 4, 8, 2);
        // A long name must not widen the window.
        title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(title);
    }
    layout->addWidget(table, 1);
    return table;
}

void MomentCallersPage::layOut()
{
    auto* splitter = new QSplitter(this);
    auto* left = new QWidget(splitter);
    auto* right = new QWidget(splitter);
    m_functionView = addTable(m_functionTable.model, QStringLiteral("momentFunctions"), nullptr, left);
    m_functionView->setAccessibleName(tr("Functions"));
    m_callerView = addTable(m_callerTable.model, QStringLiteral("momentCallers"), m_callerTitle, right);
    m_callerView->setAccessibleName(tr("Callers of the chosen function"));
    m_calleeView = addTable(m_calleeTable.model, QStringLiteral("momentCallees"), m_calleeTitle, right);
    m_calleeView->setAccessibleName(tr("Callees of the chosen function"));
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    layRow(this, {splitter});
    setFocusProxy(m_functionView);
    m_delegate->setColumnWidth([this] { // one scale for the bars of all tables that have any
        int least = m_functionView->columnWidth(ShareColumn);
        for (const QTableView* table : {m_callerView, m_calleeView})
            if (const int width = table->columnWidth(ShareColumn); width > 0)
                least = std::min(least, width);
        return least;
    });
}

void MomentCallersPage::setColors(const ThemeColors& colors)
{
    m_delegate->setColors(colors);
    for (QTableView* table : {m_functionView, m_callerView, m_calleeView})
        table->viewport()->update();
}

QString MomentCallersPage::text(bool onlySelected) const
{
    QString text = tableText(*m_functionView, onlySelected);
    if (!m_chosen.isNone())
        text += QStringLiteral("\n%1\n%2\n%3\n%4")
                    .arg(m_callerTitle->text(), tableText(*m_callerView, false), m_calleeTitle->text(),
                        tableText(*m_calleeView, false));
    return text;
}

void MomentCallersPage::refresh()
{
    if (!wanted()) {
        acceptFunctions({});
        return;
    }
    if (m_tree) {
        m_functionTable.model->setFilter(options().search);
        selectRowOf(m_chosen);
    }
    compute(functionsOf, [this](const FunctionData& functions) { acceptFunctions(functions); });
}

MomentCallersPage::FunctionData MomentCallersPage::functionsOf(
    const Moment& moment, const MomentOptions& options)
{
    const auto tree = treeOf(moment, options, CallDirection::TopDown);
    auto table = std::make_shared<FigureTable>();
    table->whole = tree->nodes.front().total.bytes;
    for (const FunctionTotal& total : functionTotals(*tree)) {
        const CallFunction& function = tree->functions[total.function.index()];
        table->rows.push_back({function.label(), total.inclusive.bytes, total.inclusive.count,
            total.self.bytes, function.file, total.function.value()});
    }
    return {tree, table};
}

void MomentCallersPage::acceptFunctions(const FunctionData& functions)
{
    m_tree = functions.tree;
    m_history.clear();
    m_functionTable.model->setFilter(options().search);
    showRows(m_functionTable, functions.table, "Function", true);
    FunctionId shownFunction;
    for (std::uint32_t i = 0; m_tree && i < m_tree->functions.size(); ++i)
        if (m_tree->functions[i].label() == m_chosenLabel)
            shownFunction = FunctionId(i);
    if (rowOf(shownFunction) < 0 && m_functionTable.model->rowCount() > 0)
        shownFunction = m_functionTable.functionAt(0);
    showPartners(shownFunction);
    const QSignalBlocker quiet(m_functionView->selectionModel()); // the user chose nothing: no highlight
    selectRowOf(shownFunction);
    m_functionView->viewport()->update();
    const auto matching = countedText(m_functionTable.model->rowCount(), "function", "functions");
    setAnswer(options().search.isEmpty() ? QString() : tr("Found %1").arg(matching));
}

void MomentCallersPage::showRows(
    ShownTable& target, std::shared_ptr<const FigureTable> table, const char* title, bool hasSelf)
{
    target.data = std::move(table);
    target.model->setSource(
        withoutColumns(figureSource(target.data, title, hasSelf), {"file"})); // the name has the file
}

/// Returns the row of the function on screen; −1 if it is not shown.
int MomentCallersPage::rowOf(FunctionId function) const
{
    if (function.isNone() || !m_functionTable.data)
        return -1;
    const std::vector<FigureRow>& rows = m_functionTable.data->rows;
    const auto found = std::ranges::find(rows, function.value(), &FigureRow::id);
    return found == rows.end()
        ? -1
        : m_functionTable.model->shownRow(static_cast<std::size_t>(found - rows.begin()));
}

void MomentCallersPage::selectRowOf(FunctionId function)
{
    const int row = rowOf(function);
    if (row < 0)
        return;
    const QModelIndex index = m_functionTable.model->index(row, 0);
    m_functionView->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_functionView->scrollTo(index);
}

void MomentCallersPage::chooseFunction()
{
    const QModelIndexList rows = m_functionView->selectionModel()->selectedRows();
    if (!m_tree || !shown() || rows.isEmpty()) {
        emit highlightRequested(nullptr);
        return;
    }
    const FunctionId function = m_functionTable.functionAt(rows.front().row());
    if (!m_chosen.isNone() && function != m_chosen)
        m_history.push_back(m_chosen);
    showPartners(function);
    std::vector<bool> chosen;
    for (const CallNode& node : m_tree->nodes)
        chosen.push_back(node.function == function);
    highlight(membersOf(*m_tree, chosen), nameOf(*m_functionView->selectionModel()));
}

void MomentCallersPage::showPartners(FunctionId function)
{
    m_chosen = function;
    for (QTableView* table : {m_functionView, m_callerView, m_calleeView})
        table->viewport()->update(); // the scale of the bars may change
    if (function.isNone()) {
        showRows(m_callerTable, nullptr, "Caller");
        showRows(m_calleeTable, nullptr, "Callee");
        m_callerTitle->clear();
        m_calleeTitle->clear();
        return;
    }
    m_chosenLabel = m_tree->functions[function.index()].label();
    const CallPartners partners = callPartners(*m_tree, function);
    const Bytes wholeBytes = partners.function.inclusive.bytes;
    showRows(m_callerTable, tableOf(partners.callers, wholeBytes), "Caller");
    showRows(m_calleeTable, tableOf(partners.callees, wholeBytes), "Callee");
    const QString name = QString::fromStdString(m_chosenLabel);
    m_callerTitle->setText(tr("Callers of %1: %2").arg(name, bytesText(wholeBytes)));
    m_calleeTitle->setText(tr("Callees of %1: %2; it allocates %3 itself")
                               .arg(name, bytesText(wholeBytes - partners.function.self.bytes),
                                   bytesText(partners.function.self.bytes)));
}

std::shared_ptr<const FigureTable> MomentCallersPage::tableOf(
    const std::vector<CallPartners::Partner>& partners, Bytes wholeBytes) const
{
    auto table = std::make_shared<FigureTable>();
    table->whole = wholeBytes;
    for (const CallPartners::Partner& partner : partners) {
        const std::string name = partner.function.isNone()
            ? tr("(outermost)").toStdString()
            : m_tree->functions[partner.function.index()].label();
        table->rows.push_back(
            {name, partner.weight.bytes, partner.weight.count, 0, {}, partner.function.value()});
    }
    return table;
}

void MomentCallersPage::goBack()
{
    const FunctionId previous = m_history.back();
    m_history.pop_back();
    const std::vector<FunctionId> remaining = m_history; // to select adds to the history
    selectRowOf(previous);
    m_history = remaining;
}

} // namespace highwater::gui
