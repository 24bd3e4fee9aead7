#include "app/views/budget/budget_view.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include "app/models/table_model.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/folded_text.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/budget/budget_headline.h"
#include "core/analysis/budget/what_if_choices.h"
#include "core/base/text/sentence_text.h"
#include "core/figure/budget_figure.h"
#include "core/table/budget_tables.h"

namespace highwater::gui {

namespace {

QStringList splitAtSpaces(const QString& text)
{
    return text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// Returns the path of the dropped file if exactly one local file is dropped, else an empty text.
QString droppedFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

} // namespace

BudgetView::BudgetView(RunState& run, QWidget* parent)
    : AnalysisPanel(parent)
    , m_run(run)
    , m_headline(new ElidedLabel(this))
    , m_subline(new ElidedLabel(this))
    , m_whatIf(named(new QToolButton(this), "budgetWhatIf", tr("What if"),
          tr("Try other settings, and see summary, assumptions, and what is not included")))
    , m_choose(new QPushButton(tr("Choose the run's configuration…"), this))
    , m_sentences(new QLabel(this))
    , m_variations(new QComboBox(this))
    , m_settings(new QLineEdit(this))
    , m_lines(named(new FigureView(this), "budgetLines", tr("Expected and observed bytes")))
    , m_grid(makePlainTable(
          *new TableModel(this), QStringLiteral("budgetGrid"), tr("The run with other settings"), this))
    , m_gridNotes(named(new QLabel(this), "budgetGridNotes"))
    , m_summary(new FoldedText(tr("Summary"), this))
    , m_assumed(new FoldedText(tr("Assumptions"), this))
    , m_notIncluded(new FoldedText(tr("Not included"), this))
    , m_side(makeSidePanel())
    , m_body(nullptr)
{
    setAcceptDrops(true);
    layOut();
    connectParts();
    showStudy();
}

QWidget* BudgetView::makeSidePanel()
{
    named(m_variations, "budgetVariations", tr("Common settings to change"),
        tr("Values to try, based on the run's configuration"));
    m_variations->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_variations->setMinimumContentsLength(14); // "choose a setting", however long the longest choice is
    named(m_settings, "budgetSettings", tr("Other settings to try"),
        tr("Settings and the values to try, then Enter: batch, group, seq_len, vocab, dtype, logits_dtype, "
           "logits_copies, optimizer, checkpointing, attention"));
    m_settings->setPlaceholderText(tr("or batch=1,2,4"));
    m_settings->setClearButtonEnabled(true);
    m_grid->horizontalHeader()->setStretchLastSection(true);
    m_grid->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_grid->setMinimumHeight(120);
    m_gridNotes->setWordWrap(true);
    auto* title = new QLabel(tr("What if"), this);
    makeBold(*title);
    auto* content = new QWidget(this);
    layColumn(content,
        {layRow(nullptr, {title, {m_variations, 1}, {m_settings, 1}}, {{}, 8}), m_grid, m_gridNotes,
            m_summary, m_assumed, m_notIncluded, Part::space(1)},
        {{12, 6, 8, 6}, 6});
    return makeScrollArea(content, this, tr("Basis of the budget"));
}

void BudgetView::layOut()
{
    makeBold(*m_headline);
    m_whatIf->setText(tr("What if"));
    m_whatIf->setCheckable(true);
    m_whatIf->setFocusPolicy(Qt::TabFocus);
    makeSelectable(*named(m_sentences, "budgetSentences"), Qt::AutoText, {12, 6, 12, 6});
    m_sentences->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QScrollArea* lines = makeScrollArea(m_lines, this);
    constexpr int narrowestLines = 370; // names, a short bar, and both columns of bytes
    lines->setMinimumWidth(narrowestLines);
    lines->viewport()->installEventFilter(this);
    m_body = fillSplitter(named(new QSplitter(Qt::Horizontal, this), "budgetSplitter"), {{lines, 1}, m_side});
    m_body->setChildrenCollapsible(false);
    m_side->hide();
    auto* head = layColumn(nullptr, {m_headline, m_subline}, {{}, 2});
    auto* top = layRow(nullptr, {{head, 1}, m_whatIf, m_choose}, {{10, 4, 10, 2}, 12});
    layColumn(this, {top, {m_sentences, 1}, {m_body, 1}}, {{}, 2});
}

void BudgetView::connectParts()
{
    connect(m_choose, &QPushButton::clicked, this, &BudgetView::chooseFile);
    connect(m_whatIf, &QToolButton::toggled, this, &BudgetView::showSide);
    connect(&m_run, &RunState::changed, this, &BudgetView::followRun);
    connect(m_settings, &QLineEdit::returnPressed, this, &BudgetView::computeStudy);
    connect(m_variations, &QComboBox::activated, this,
        [this] { computeForSettings(m_variations->currentData().toString()); });
}

/// Adjusts the height of the figure to its lines when the available width changes.
bool BudgetView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitFigure();
    return AnalysisPanel::eventFilter(watched, event);
}

void BudgetView::fitFigure()
{
    if (!m_study)
        return;
    const FigureOptions options{.width = m_lines->parentWidget()->width(), .titled = false};
    m_lines->setMinimumHeight(budgetFigureHeight(*m_study, options));
}

void BudgetView::setColors(const ThemeColors& colors)
{
    m_lines->setColors(colors);
    for (TableModel* model : findChildren<TableModel*>())
        model->setColors(colors);
}

void BudgetView::followRun()
{
    m_isStale = true;
    if (isVisible())
        computeStudy();
}

void BudgetView::showEvent(QShowEvent* event)
{
    AnalysisPanel::showEvent(event);
    if (m_isStale)
        computeStudy();
}

void BudgetView::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("The run's configuration"),
        QFileInfo(m_run.configuration()).path(), tr("Configurations (*.yaml *.yml *.json);;All files (*)"));
    if (!path.isEmpty())
        m_run.setConfiguration(path);
}

void BudgetView::computeForSettings(const QString& settings)
{
    m_settings->setText(settings);
    computeStudy();
}

void BudgetView::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void BudgetView::dropEvent(QDropEvent* event)
{
    const QString file = droppedFile(*event->mimeData());
    if (file.isEmpty()) // an empty path, as a web address gives, would clear the configuration
        return;
    event->acceptProposedAction();
    m_run.setConfiguration(file);
}

void BudgetView::computeStudy()
{
    m_isStale = false;
    if (!m_run.study())
        return;
    if (m_run.configuration().isEmpty())
        return m_task.run([this, run = m_run.study()]() -> LatestTask::Delivery {
            const BudgetStudy* const fits = run->gpuFits();
            return [this, run, fits] { acceptStudy({run, fits}); };
        });
    const std::optional<RunDescription>& description = m_run.description();
    if (!description || !description->shape)
        return showTrouble(description ? description->shapeTrouble : m_run.configurationTrouble());
    std::vector<std::string> whatIf;
    for (const QString& word : splitAtSpaces(m_settings->text()))
        whatIf.push_back(word.toStdString());
    m_task.run([this, run = m_run.study(), whatIf = std::move(whatIf)]() -> LatestTask::Delivery {
        if (whatIf.empty() && run->budget())
            return [this, run] { acceptStudy({run, run->budget()}); };
        Result<BudgetStudy> study = studyBudget({*run->parts().shape, {}, whatIf, run->chosenGpu()},
            run->device(), run->findings(), run->logged());
        if (!study)
            return [this, sentence = study.error().message] { showTrouble(sentence); };
        return
            [this, result = std::make_shared<const BudgetStudy>(*std::move(study))] { acceptStudy(result); };
    });
}

void BudgetView::acceptStudy(std::shared_ptr<const BudgetStudy> study)
{
    m_study = std::move(study);
    showStudy();
    emit settled();
}

void BudgetView::showTrouble(const std::string& sentence)
{
    constexpr std::string_view whatIf = "--what-if: ";
    if (m_study && sentence.starts_with(whatIf)) {
        m_whatIf->setChecked(true);
        m_grid->hide(); // it answers an earlier question
        m_gridNotes->setText(toQString(fullSentence(sentence.substr(whatIf.size()))));
        m_gridNotes->show();
        emit settled();
        return;
    }
    m_sentences->setText(QStringLiteral("<b>%1</b>: %2")
                             .arg(QFileInfo(m_run.configuration()).fileName().toHtmlEscaped(),
                                 toQString(sentence).toHtmlEscaped()));
    m_sentences->show();
    emit settled();
}

void BudgetView::showStudy()
{
    m_body->setVisible(m_study != nullptr);
    m_headline->setVisible(m_study != nullptr);
    m_sentences->setVisible(!m_study);
    const bool isOfConfiguration = m_study && m_study->isOfConfiguration;
    m_settings->setEnabled(isOfConfiguration);
    m_subline->hide();
    showSide();
    const QString hint = tr("How much memory should this run need? Choose its configuration, or drop it "
                            "here: a JSON or YAML file with keys such as <b>parameters</b> or <b>model</b> "
                            "(a config.json), <b>dtype</b>, <b>optimizer</b>, <b>batch</b>, <b>seq_len</b>, "
                            "<b>vocab</b>. Missing settings are listed and not included.");
    if (!m_study)
        return m_sentences->setText(hint);
    m_headline->setText(toQString(budgetHeadline(*m_study)));
    m_subline->setText(toQString(budgetVerdict(*m_study)));
    m_subline->setVisible(!m_subline->text().isEmpty());
    if (!isOfConfiguration) {
        m_choose->setToolTip(hint);
        return showFigure();
    }
    m_choose->setText(QFileInfo(m_run.configuration()).fileName());
    m_choose->setToolTip(tr("%1\nClick to choose another configuration").arg(m_run.configuration()));
    showFigure();
    showSentences();
    showVariations();
}

/// Shows the column at the right once "What if" is used; without a configuration there is nothing in it.
void BudgetView::showSide()
{
    const bool isOfConfiguration = m_study && m_study->isOfConfiguration;
    m_whatIf->setVisible(isOfConfiguration);
    const bool isOpen = isOfConfiguration && m_whatIf->isChecked();
    if (isOpen != m_side->isHidden())
        return;
    m_side->setVisible(isOpen);
    constexpr int sideWidth = 480; // all columns of the grid
    if (isOpen)
        m_body->setSizes({m_body->width() - m_body->handleWidth() - sideWidth, sideWidth});
}

void BudgetView::showFigure()
{
    m_lines->setMaker(
        [study = m_study](const FigureOptions& options) { return budgetFigure(*study, options); });
    fitFigure();
}

void BudgetView::showSentences()
{
    QStringList summary;
    for (const std::string& sentence : m_study->sentences())
        summary << toQString(upperFirst(sentence));
    m_summary->setSentences(summary);
    QStringList assumed;
    for (const std::string& assumption : m_study->budget.assumptions)
        assumed << toQString(upperFirst(assumption));
    m_assumed->setSentences(assumed);
    QStringList leftOut;
    for (const LeftOutLine& line : m_study->budget.leftOut)
        leftOut << toQString(upperFirst(line.sentence));
    m_notIncluded->setSentences(leftOut);
}

/// Fills the settings to choose from, which depend on the run, and shows the grid of the settings that were
/// tried last.
void BudgetView::showVariations()
{
    const QSignalBlocker quiet(m_variations);
    m_variations->clear();
    m_variations->addItem(tr("choose a setting"), QString());
    for (const std::string& variation : usualVariations(m_study->run))
        m_variations->addItem(toQString(variation), toQString(variation));
    m_variations->setCurrentIndex(std::max(0, m_variations->findData(m_settings->text())));
    m_grid->setVisible(m_study->whatIf.has_value());
    m_gridNotes->setVisible(m_study->whatIf.has_value());
    if (!m_study->whatIf)
        return;
    QStringList notes;
    for (const std::string& note : whatIfNotes(*m_study->whatIf))
        notes << toQString(fullSentence(note));
    m_gridNotes->setText(notes.join(QLatin1Char(' ')));
    m_whatIf->setChecked(true);
    static_cast<TableModel*>(m_grid->model())->setTable(whatIfTable(*m_study));
    m_grid->resizeColumnsToContents();
}

} // namespace highwater::gui
