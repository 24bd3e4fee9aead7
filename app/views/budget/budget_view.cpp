#include "app/views/budget/budget_view.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

#include "app/models/table_model.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/table/budget_tables.h"

namespace highwater::gui {

namespace {

QStringList wordsOf(const QString& text)
{
    return text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

} // namespace

BudgetView::BudgetView(RunState& run, QWidget* parent)
    : AnalysisPanel(parent)
    , m_run(run)
    , m_choose(new QPushButton(tr("Choose the run's configuration…"), this))
    , m_sentences(new QLabel(this))
    , m_settings(new QLineEdit(this))
    , m_lines(makeTable("budgetLines", tr("Expected and observed bytes")))
    , m_gpus(makeTable("budgetCards", tr("GPUs that it fits")))
    , m_grid(makeTable("budgetGrid", tr("The run with other settings")))
{
    setAcceptDrops(true);
    layOut();
    connect(m_choose, &QPushButton::clicked, this, &BudgetView::chooseFile);
    connect(&m_run, &RunState::changed, this, &BudgetView::takeRun);
    connect(m_settings, &QLineEdit::returnPressed, this, &BudgetView::workOut);
    showStudy();
}

QTableView* BudgetView::makeTable(const char* name, const QString& accessibleName)
{
    QTableView* table
        = makePlainTable(*new TableModel(this), QString::fromLatin1(name), accessibleName, this);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

void BudgetView::showTable(QTableView& view, Table table)
{
    static_cast<TableModel*>(view.model())->setTable(std::move(table));
    view.resizeColumnsToContents();
}

void BudgetView::setColors(const ThemeColors& colors)
{
    for (TableModel* model : findChildren<TableModel*>())
        model->setColors(colors);
}

void BudgetView::layOut()
{
    m_sentences->setObjectName(QStringLiteral("budgetSentences"));
    makeSelectable(*m_sentences, Qt::AutoText, {12, 6, 12, 6});
    m_sentences->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    named(m_settings, "budgetSettings", tr("Other settings to try"),
        tr("Settings and the values to try, then Enter: batch, group, seq_len, vocab, dtype, logits_dtype, "
           "logits_copies, optimizer, checkpointing, attention"));
    m_settings->setPlaceholderText(tr("What if: batch=1,2,4 seq_len=256,512 vocab=10000"));
    m_settings->setClearButtonEnabled(true);
    auto* top = layRow(nullptr, {m_choose, {m_settings, 1}}, {{10, 6, 10, 2}, -1});
    auto* scroll = scrollingDown(m_sentences, this);
    auto* right = fillSplitter(new QSplitter(Qt::Vertical, this), {m_grid, m_gpus});
    auto* across = fillSplitter(named(new QSplitter(Qt::Horizontal, this), "budgetSplitter"),
        {m_lines, scroll, right}, {560, 360, 380});
    across->setChildrenCollapsible(false);
    layColumn(this, {top, {across, 1}}, {{}, 2});
}

void BudgetView::takeRun()
{
    m_isStale = true;
    if (isVisible())
        workOut();
}

void BudgetView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    if (m_isStale)
        workOut();
}

void BudgetView::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("The run's configuration"),
        QFileInfo(m_run.configuration()).path(), tr("Configurations (*.yaml *.yml *.json);;All files (*)"));
    if (!path.isEmpty())
        m_run.setConfiguration(path);
}

void BudgetView::tryOut(const QString& settings)
{
    m_settings->setText(settings);
    workOut();
}

void BudgetView::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->urls().size() == 1)
        event->acceptProposedAction();
}

void BudgetView::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    m_run.setConfiguration(event->mimeData()->urls().first().toLocalFile());
}

void BudgetView::workOut()
{
    m_isStale = false;
    if (!m_run.study() || m_run.configuration().isEmpty())
        return;
    const std::optional<RunDescription>& description = m_run.description();
    if (!description || !description->shape)
        return showTrouble(description ? description->shapeTrouble : m_run.configurationTrouble());
    std::vector<std::string> whatIf;
    for (const QString& word : wordsOf(m_settings->text()))
        whatIf.push_back(word.toStdString());
    m_task.run([this, run = m_run.study(), whatIf = std::move(whatIf)]() -> LatestTask::Delivery {
        if (whatIf.empty() && run->budget())
            return [this, run] { accept({run, run->budget()}); };
        Result<BudgetStudy> study = studyBudget({*run->parts().shape, {}, whatIf}, run->device());
        if (!study)
            return [this, sentence = study.error().message] { showTrouble(sentence); };
        return [this, made = std::make_shared<const BudgetStudy>(*std::move(study))] { accept(made); };
    });
}

void BudgetView::accept(std::shared_ptr<const BudgetStudy> study)
{
    m_study = std::move(study);
    showStudy();
    emit settled();
}

void BudgetView::showTrouble(const std::string& sentence)
{
    m_sentences->setText(QStringLiteral("<b>%1</b>: %2")
                             .arg(QFileInfo(m_run.configuration()).fileName().toHtmlEscaped(),
                                 toQString(sentence).toHtmlEscaped()));
    emit settled();
}

void BudgetView::showStudy()
{
    for (QTableView* table : {m_lines, m_gpus, m_grid})
        table->setVisible(m_study != nullptr);
    m_settings->setEnabled(m_study != nullptr);
    if (!m_study) {
        m_sentences->setText(tr("What should this run need? Choose its configuration, a JSON or YAML file "
                                "with keys such as <b>parameters</b> or <b>model</b> (a config.json), "
                                "<b>dtype</b>, <b>optimizer</b>, <b>batch</b>, <b>seq_len</b>, <b>vocab</b>; "
                                "or drop it here. What is not given is left out of the sum and named."));
        return;
    }
    m_choose->setText(QFileInfo(m_run.configuration()).fileName());
    m_choose->setToolTip(tr("%1\nA click chooses another configuration").arg(m_run.configuration()));
    QStringList sentences;
    for (const std::string& sentence : m_study->sentences())
        sentences << toQString(sentence).toHtmlEscaped();
    for (const LeftOutLine& line : m_study->budget.leftOut)
        sentences << tr("Left out: %1").arg(toQString(line.sentence).toHtmlEscaped());
    for (const std::string& assumption : m_study->budget.assumptions)
        sentences << tr("Assumed: %1").arg(toQString(assumption).toHtmlEscaped());
    m_sentences->setText(sentences.join(QStringLiteral("<br>")));
    showTable(*m_lines, budgetLineTable(*m_study));
    showTable(*m_gpus, gpuFitTable(*m_study));
    m_grid->setVisible(m_study->whatIf.has_value());
    if (m_study->whatIf)
        showTable(*m_grid, whatIfTable(*m_study));
}

QString BudgetView::text() const
{
    return m_sentences->text();
}

} // namespace highwater::gui
