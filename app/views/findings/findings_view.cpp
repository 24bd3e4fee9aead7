#include "app/views/findings/findings_view.h"

#include <algorithm>

#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>

#include "app/views/findings/finding_delegate.h"
#include "app/views/findings/saving_pointer.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/detectors/rule_table.h"
#include "core/base/text/sentence_text.h"
#include "core/report/model/finding_text.h"
#include "core/study/diagnosis/diagnose.h"
#include "core/study/gpu_answer.h"

// Lists the findings of a run. While the search goes on, the list grows; when the study is complete, rows get
// links and their final order. Each row and each piece of evidence carries its link as text; a click or Enter
// follows the link. Example: row 3 has the link "finding:3", the second piece of its evidence "evidence:3:1".
// A click on Show in the row of that piece goes to the place that it names.

namespace highwater::gui {

namespace {

using Column = FindingDelegate::Column;

constexpr int kHeadHeight = 24;
constexpr int kUnfoldWidth = 32;

/// Returns the width of a column: that of the widest saving, of the title or of the link with margins, or of
/// the mark that unfolds a row.
int widthOf(int column, const QFontMetrics& metrics)
{
    switch (column) {
    case Column::Saves: return 16 + metrics.horizontalAdvance(QStringLiteral("≤ 1,023.99 MiB"));
    case Column::Grade: return metrics.horizontalAdvance(FindingsView::tr("Grade")) + 16;
    case Column::Show: return metrics.horizontalAdvance(FindingsView::tr("Show")) + 24;
    default: return kUnfoldWidth;
    }
}

bool hasTarget(const Evidence& piece)
{
    return !std::holds_alternative<std::monostate>(piece.target);
}

/// Returns a link such as "finding:3".
QString linkTo(const char* kind, std::size_t number)
{
    return QStringLiteral("%1:%2").arg(QLatin1String(kind)).arg(number);
}

} // namespace

FindingsView::FindingsView(const RunState& run, BandView& bandView, QWidget* parent)
    : AnalysisPanel(parent)
    , m_run(run)
    , m_bandView(bandView)
    , m_note(new QLabel(this))
    , m_list(new QTreeWidget(this))
    , m_facts(new QToolButton(this))
    , m_delegate(new FindingDelegate(this))
{
    m_note->setProperty("quiet", true);
    m_note->setContentsMargins(16, 8, 16, 8);
    makeList();
    layColumn(this, {makeHead(), m_note, {m_list, 1}});
    setFocusProxy(m_list);
    connect(&m_run, &RunState::started, this, &FindingsView::refresh);
    connect(&m_run, &RunState::found, this, &FindingsView::refresh);
    connect(&m_run, &RunState::changed, this, [this] {
        refresh();
        emit settled();
    });
    refresh();
}

QWidget* FindingsView::makeHead()
{
    auto* head = named(new QWidget(this), "findingsHead");
    head->setFixedHeight(std::max(kHeadHeight, fontMetrics().height() + 6));
    const auto label = [&](const QString& text, Qt::Alignment alignment, int width) {
        auto* heading = new QLabel(text, head);
        heading->setProperty("quiet", true);
        heading->setFont(smallFont(font()));
        heading->setAlignment(alignment | Qt::AlignVCenter);
        if (width > 0)
            heading->setFixedWidth(width);
        return heading;
    };
    const QFontMetrics& metrics = fontMetrics();
    named(m_facts, "factsLink", {}, tr("How the run uses memory, and what was recorded"));
    m_facts->setProperty("link", true);
    m_facts->setCheckable(true);
    m_facts->setFont(smallFont(font()));
    connect(m_facts, &QToolButton::toggled, this, [this](bool isShown) {
        const int faults = m_list->topLevelItemCount();
        refresh();
        if (isShown)
            m_list->scrollToItem(m_list->topLevelItem(faults), QAbstractItemView::PositionAtTop);
    });
    layRow(head,
        {label(tr("Saves"), Qt::AlignRight, widthOf(Column::Saves, metrics)), Part::gap(12),
            {label(tr("Finding"), Qt::AlignLeft, 0), 1},
            label(tr("Grade"), Qt::AlignHCenter, widthOf(Column::Grade, metrics)), m_facts},
        {{0, 0, 16, 0}, 0});
    head->setToolTip(tr("Savings overlap and do not add up"));
    return head;
}

void FindingsView::makeList()
{
    named(m_list, "findings", tr("Findings"));
    m_list->setColumnCount(Column::Columns);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(0);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setExpandsOnDoubleClick(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setItemDelegate(m_delegate);
    connect(new SavingPointer(m_list), &SavingPointer::pointedAt, this, &FindingsView::fixPointedAt);
    QHeaderView& header = *m_list->header();
    header.setStretchLastSection(false);
    header.setMinimumSectionSize(1);
    for (int column = 0; column < Column::Columns; ++column) {
        header.setSectionResizeMode(
            column, column == Column::Sentence ? QHeaderView::Stretch : QHeaderView::Fixed);
        if (column != Column::Sentence)
            header.resizeSection(column, widthOf(column, fontMetrics()));
    }
    for (const auto foldChanged : {&QTreeWidget::itemExpanded, &QTreeWidget::itemCollapsed})
        connect(m_list, foldChanged, m_list, &QTreeWidget::doItemsLayout); // only open rows wrap their title
    connect(m_list, &QTreeWidget::itemClicked, this, &FindingsView::clickRow);
    connect(m_list, &QTreeWidget::itemActivated, this,
        [this](const QTreeWidgetItem* row) { followLink(row->data(0, Qt::UserRole).toString()); });
}

void FindingsView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    fitRows();
}

/// Lays out the rows with as much of their texts as there is height for: in all rows, or else in the first.
/// Where the list scrolls anyway, nothing is cut.
void FindingsView::fitRows()
{
    using Rows = FindingDelegate::Rows;
    const int column = m_list->columnWidth(Column::Sentence);
    const int rowCount = m_list->topLevelItemCount();
    bool isCut = false;
    for (int i = 0; i < rowCount; ++i)
        isCut = isCut
            || FindingDelegate::isCut(m_list->model()->index(i, Column::Sentence), column, fontMetrics());
    const auto fits = [&](Rows rows, int count) {
        m_delegate->setRows(rows, count);
        m_list->doItemsLayout();
        return rowsHeight() <= m_list->viewport()->height();
    };
    if (isCut && fits(Rows::Whole, rowCount))
        return;
    for (int count = isCut ? rowCount : 0; count >= 0; --count)
        if (fits(Rows::TwoLines, count))
            return;
    fits(Rows::Whole, rowCount);
}

/// Returns the height of all rows, in pixels.
int FindingsView::rowsHeight() const
{
    int height = 0;
    for (const QTreeWidgetItem* row = m_list->topLevelItem(0); row; row = m_list->itemBelow(row))
        height += m_list->visualItemRect(row).height();
    return height;
}

void FindingsView::refresh()
{
    const std::shared_ptr<const RunStudy>& study = m_run.study();
    const std::vector<Finding>& findings = study ? study->findings() : m_run.foundSoFar();
    m_list->setVisible(study || !findings.empty());
    m_note->setVisible(!study && findings.empty());
    m_note->setText(m_run.isBusy() ? tr("Looking for problems…") : QString());
    std::vector<std::size_t> order = readingOrder(findings, study ? study->diagnosis() : Diagnosis());
    const auto facts = std::stable_partition(
        order.begin(), order.end(), [&](std::size_t i) { return findings[i].kind == FindingKind::Fault; });
    const bool hasFaults = facts != order.begin();
    m_facts->setVisible(study && facts != order.end() && hasFaults);
    m_facts->setText(countedText(order.end() - facts, "fact", "facts"));
    if (!study || (hasFaults && !m_facts->isChecked()))
        order.erase(facts, order.end());
    m_list->clear();
    for (const std::size_t i : order)
        addRow(findings[i], i);
    fitRows();
}

void FindingsView::addRow(const Finding& finding, std::size_t number)
{
    auto* row = new QTreeWidgetItem(m_list);
    const Remedy& remedy = finding.remedy;
    const bool isFinal = m_run.study() != nullptr; // until then, another one may explain this finding
    const bool saves = isFinal && savesMemory(finding);
    row->setData(0, Qt::UserRole, linkTo("finding", number));
    row->setText(Column::Saves,
        saves         ? bytesText(remedy.savedBytes)
            : isFinal ? QStringLiteral("–")
                      : QString());
    row->setData(Column::Saves, FindingDelegate::kAsideRole,
        !saves                    ? QString()
            : remedy.isUpperBound ? QStringLiteral("≤")
            : remedy.isLowerBound ? QStringLiteral("≥")
                                  : QString());
    QString savesTip = isFinal ? toQString(fullSentence(savingText(finding))) : QString();
    if (saves && remedy.removed) {
        row->setData(0, FindingDelegate::kFixRole, QVariant::fromValue(static_cast<qulonglong>(number)));
        savesTip += tr("\nThe line over the timeline shows the memory with this fix.");
    }
    const std::string fit = isFinal ? fitSentence(*m_run.study(), finding) : std::string();
    if (!fit.empty())
        savesTip += (savesTip.isEmpty() ? QString() : QStringLiteral("\n")) + toQString(fit);
    const std::string action = adviceText(finding, m_run.study().get());
    row->setToolTip(Column::Saves, savesTip);
    row->setText(Column::Sentence, toQString(finding.title));
    QString tip = toQString(finding.title);
    const std::string secondLine = !remedy.action.empty() ? "Next: " + action
        : finding.evidence.empty()                        ? std::string()
                                                          : finding.evidence.front().sentence;
    if (!secondLine.empty()) {
        row->setData(Column::Sentence, FindingDelegate::kAsideRole, toQString(secondLine));
        row->setData(Column::Sentence, FindingDelegate::kNextRole, !remedy.action.empty());
        tip += QLatin1Char('\n') + toQString(secondLine);
    }
    row->setToolTip(Column::Sentence, Qt::convertFromPlainText(tip));
    row->setText(Column::Grade, toQString(inWords(finding.grade)));
    row->setToolTip(Column::Grade,
        QStringLiteral("%1 · %2").arg(toQString(gradeMeaning(finding.grade)), toQString(finding.rule)));
    if (!isFinal)
        return;
    row->setText(Column::Show, tr("Show"));
    if (!remedy.action.empty())
        addEvidence(*row, {}, tr("Next: %1").arg(toQString(action)), {});
    if (saves && remedy.removed)
        addEvidence(*row, linkTo("curve", number), tr("Curve with this fix, until Esc"), tr("Show"));
    for (std::size_t i = 0; i < finding.evidence.size(); ++i)
        addEvidence(*row, QStringLiteral("evidence:%1:%2").arg(number).arg(i),
            toQString(finding.evidence[i].sentence), hasTarget(finding.evidence[i]) ? tr("Show") : QString());
    if (!finding.wouldDisprove.empty())
        addEvidence(*row, {}, toQString(fullSentence(finding.wouldDisprove)), {});
    if (!rulePageFile(finding.rule).empty())
        addEvidence(
            *row, linkTo("meaning", number), tr("What this finding means and when it is wrong"), tr("Read"));
    addEvidence(*row, linkTo("keep", number), tr("Add a note with the evidence"), tr("Note"));
}

QTreeWidgetItem* FindingsView::addEvidence(
    QTreeWidgetItem& row, const QString& link, const QString& text, const QString& action)
{
    auto* piece = new QTreeWidgetItem(&row);
    piece->setData(0, Qt::UserRole, link);
    piece->setText(Column::Sentence, text);
    piece->setText(Column::Show, action);
    return piece;
}

void FindingsView::setColors(const ThemeColors& colors)
{
    m_delegate->setColors(colors);
    m_list->viewport()->update();
}

/// Follows the link of the row if the column Show was clicked; a click elsewhere unfolds the finding or folds
/// it again.
void FindingsView::clickRow(QTreeWidgetItem* row, int column)
{
    if (column == Column::Show)
        followLink(row->data(0, Qt::UserRole).toString());
    else if (!row->parent())
        row->setExpanded(!row->isExpanded());
}

void FindingsView::showFinding(std::size_t number)
{
    if (!m_run.study())
        return; // until then, rows have numbers of their own
    const QString link = linkTo("finding", number);
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (QTreeWidgetItem* row = m_list->topLevelItem(i); row->data(0, Qt::UserRole) == link) {
            m_list->setCurrentItem(row);
            row->setExpanded(true);
        }
    followLink(link);
}

} // namespace highwater::gui
