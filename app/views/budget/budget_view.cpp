#include "app/views/budget/budget_view.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "app/models/exact_role.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

TableCell figure(Bytes bytes)
{
    return {bytesText(bytes), bytes, true, QString::fromStdString(formatExactBytes(bytes))};
}

TableCell ratio(Bytes observed, Bytes expected)
{
    if (expected <= 0)
        return {QStringLiteral("–"), 0, true};
    const double value = static_cast<double>(observed) / static_cast<double>(expected);
    return {toQString(formatRatio(value)), static_cast<qint64>(value * 1000), true};
}

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
    , m_linesModel(new CellTableModel(this))
    , m_gpusModel(new CellTableModel(this))
    , m_gridModel(new CellTableModel(this))
    , m_lines(makeTable(*m_linesModel, "budgetLines", tr("Expected and observed bytes")))
    , m_gpus(makeTable(*m_gpusModel, "budgetCards", tr("GPUs that it fits")))
    , m_grid(makeTable(*m_gridModel, "budgetGrid", tr("The run with other settings")))
{
    setAcceptDrops(true);
    layOut();
    connect(m_choose, &QPushButton::clicked, this, &BudgetView::chooseFile);
    connect(&m_run, &RunState::changed, this, &BudgetView::takeRun);
    connect(m_settings, &QLineEdit::returnPressed, this, &BudgetView::workOut);
    showStudy();
}

BudgetView::~BudgetView()
{
    m_task.drop();
}

QTableView* BudgetView::makeTable(CellTableModel& model, const char* name, const QString& accessibleName)
{
    QTableView* table = makePlainTable(model, QString::fromLatin1(name), accessibleName, this);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

void BudgetView::layOut()
{
    m_sentences->setObjectName(QStringLiteral("budgetSentences"));
    m_sentences->setWordWrap(true);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentences->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentences->setContentsMargins(12, 6, 12, 6);
    m_settings->setObjectName(QStringLiteral("budgetSettings"));
    m_settings->setPlaceholderText(tr("What if: batch=1,2,4 seq_len=256,512 vocab=10000"));
    m_settings->setAccessibleName(tr("Other settings to try"));
    m_settings->setToolTip(
        tr("Settings and the values to try, then Enter: batch, group, seq_len, vocab, dtype, "
           "logits_dtype, logits_copies, optimizer, checkpointing, attention"));
    m_settings->setClearButtonEnabled(true);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 6, 10, 2);
    top->addWidget(m_choose);
    top->addWidget(m_settings, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_sentences);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* right = new QSplitter(Qt::Vertical, this);
    right->addWidget(m_grid);
    right->addWidget(m_gpus);
    auto* across = new QSplitter(Qt::Horizontal, this);
    across->setObjectName(QStringLiteral("budgetSplitter"));
    across->setChildrenCollapsible(false);
    across->addWidget(m_lines);
    across->addWidget(scroll);
    across->addWidget(right);
    across->setSizes({560, 360, 380});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(across, 1);
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
        Result<BudgetStudy> study = whatIf.empty() && run->budget()
            ? Result<BudgetStudy>(*run->budget())
            : studyBudget({*run->parts().shape, {}, whatIf}, run->device());
        return [this, study = std::move(study)] { accept(study); };
    });
}

void BudgetView::accept(const Result<BudgetStudy>& study)
{
    if (!study)
        return showTrouble(study.error().message);
    m_study = std::make_shared<const BudgetStudy>(*study);
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
        m_sentences->setText(
            tr("What should this run need? Choose its configuration, a JSON or YAML file with keys such as "
               "<b>parameters</b> or <b>model</b> (a config.json), <b>dtype</b>, <b>optimizer</b>, "
               "<b>batch</b>, "
               "<b>seq_len</b>, <b>vocab</b>; or drop it here. What is not given is left out of the sum and "
               "named."));
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
        sentences << tr("Taken for granted: %1").arg(toQString(assumption).toHtmlEscaped());
    m_sentences->setText(sentences.join(QStringLiteral("<br>")));
    showLines();
    showGpus();
    showGrid();
}

void BudgetView::showLines()
{
    CellTable table;
    table.titles = {tr("Line"), tr("Expected"), tr("Low"), tr("High"), tr("Observed"), tr("Ratio"),
        tr("Formula, in bytes")};
    table.units = {{}, kBytesUnit, kBytesUnit, kBytesUnit, kBytesUnit, {}, {}};
    const Budget& budget = m_study->budget;
    const auto add = [&](const QString& name, Bytes likely, Bytes low, Bytes high,
                         const std::optional<Bytes>& seen, const QString& formula) {
        table.rows.push_back(
            {{{name}, figure(likely), figure(low), figure(high),
                 seen ? figure(*seen) : TableCell{QStringLiteral("–"), -1, true},
                 seen ? ratio(*seen, likely) : TableCell{QStringLiteral("–"), -1, true}, {formula}},
                table.rows.size()});
    };
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* seen = m_study->observed ? m_study->observed->find(line.name) : nullptr;
        add(toQString(titleOf(line.name)), line.likely(), line.low(), line.high(),
            seen ? std::optional(seen->bytes) : std::nullopt, toQString(line.formula()));
    }
    const std::optional<ObservedBudget>& observed = m_study->observed;
    if (observed && observed->unexplained > 0)
        table.rows.push_back({{{tr("no line")}, {QStringLiteral("–"), 0, true},
                                  {QStringLiteral("–"), 0, true}, {QStringLiteral("–"), 0, true},
                                  figure(observed->unexplained), {QStringLiteral("–"), -1, true}, {}},
            table.rows.size()});
    add(tr("sum"), budget.expected, budget.low, budget.high,
        observed ? std::optional(observed->total) : std::nullopt, {});
    m_linesModel->setTable(std::move(table));
    m_lines->resizeColumnsToContents();
}

void BudgetView::showGpus()
{
    CellTable table;
    table.titles = {tr("GPU"), tr("Reported"), tr("Fits"), tr("To spare")};
    table.units = {{}, kBytesUnit, {}, kBytesUnit};
    for (const GpuFit& fit : m_study->fits)
        table.rows.push_back(
            {{{toQString(fit.gpu)}, figure(fit.capacity),
                 {!fit.fits            ? tr("no")
                         : fit.isTight ? tr("barely")
                                       : tr("yes"),
                     0, false,
                     fit.isTight ? tr("It leaves less than a CUDA context likely takes") : QString()},
                 {QString::fromStdString(formatBytesDelta(fit.headroom)), fit.headroom, true}},
                table.rows.size()});
    m_gpusModel->setTable(std::move(table));
    m_gpus->resizeColumnsToContents();
}

void BudgetView::showGrid()
{
    m_grid->setVisible(m_study->whatIf.has_value());
    if (!m_study->whatIf)
        return;
    const WhatIfGrid& grid = *m_study->whatIf;
    CellTable table;
    for (const WhatIfAxis& axis : grid.axes) {
        table.titles << toQString(axis.key);
        table.units << QString();
    }
    table.titles << tr("Accumulation") << tr("Expected") << tr("Change") << tr("Smallest GPU");
    table.units << kNoUnit << kBytesUnit << kBytesUnit << QString();
    for (const WhatIfCase& one : grid.cases) {
        CellTable::Row row{{}, table.rows.size()};
        for (const std::string& value : one.values)
            row.cells.push_back({toQString(value), toQString(value).toLongLong(), true});
        row.cells.push_back({one.accumulation ? countText(*one.accumulation) : QStringLiteral("–"),
            one.accumulation.value_or(0), true});
        row.cells.push_back(figure(one.expected));
        const Bytes change = one.expected - grid.expected;
        row.cells.push_back({QString::fromStdString(formatBytesDelta(change)), change, true});
        const std::string gpu = m_study->smallestGpu(one.expected);
        row.cells.push_back({gpu.empty() ? tr("none") : toQString(gpu)});
        table.rows.push_back(std::move(row));
    }
    m_gridModel->setTable(std::move(table));
    m_grid->resizeColumnsToContents();
}

QString BudgetView::text() const
{
    return m_sentences->text();
}

} // namespace highwater::gui
