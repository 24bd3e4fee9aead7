#include <algorithm>

#include <QLabel>
#include <QScrollArea>

#include "app/views/ranks/ranks_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/report/parts/first_page.h"

// The sentences above the picture and the table.

namespace highwater::gui {

namespace {

/// The most lines of sentences before they scroll.
constexpr int kMostTextLines = 3;

} // namespace

void RanksView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    fitAnswer();
    fitRows();
}

/// Gives the sentences the lines that they need, at most three; one line in a short view, where chart and
/// table need the room. The rest scrolls and is in the tool tip.
void RanksView::fitAnswer()
{
    const int line = m_sentences->fontMetrics().lineSpacing();
    const int wanted = m_sentences->heightForWidth(m_answer->viewport()->width());
    const bool isShort = height() < FigureOptions::kLowestDecorated;
    const int lines = isShort ? 1 : kMostTextLines;
    m_answer->setFixedHeight(std::clamp(wanted, line, lines * line));
    m_answer->setToolTip(wanted > lines * line ? m_sentences->text() : QString());
}

void RanksView::showFindings(const RunStudy* study)
{
    m_cause = study ? toQString(causeSentence(*study)) : QString();
    m_next = study ? toQString(nextStepSentence(*study)) : QString();
    rememberDiagnosis();
    refreshText();
}

bool RanksView::isMainShown() const
{
    const std::shared_ptr<const RunRanks>& ranks = m_run.ranks();
    return ranks && !ranks->ranks.empty() && m_shown
        && m_run.indexOf(ranks->table.files[ranks->ranks[ranks->main].file]->member.path) == m_shown;
}

/// Keeps the diagnosis of the rank to look at first, so that the table has it whichever rank is shown.
void RanksView::rememberDiagnosis()
{
    if (!isMainShown() || (m_cause.isEmpty() && m_next.isEmpty()))
        return;
    const RunRanks& ranks = *m_run.ranks();
    m_diagnosedPath = ranks.table.files[ranks.ranks[ranks.main].file]->member.path;
    m_diagnosis = {m_cause.toStdString(), m_next.toStdString()};
    if (!m_isStale)
        showTable();
}

QStringList RanksView::loadingSentences() const
{
    QStringList sentences;
    const auto files = static_cast<std::int64_t>(m_run.fileCount());
    const auto known = static_cast<std::int64_t>(m_run.knownCount());
    if (known < files)
        sentences << (m_run.isLoading() ? tr("%1 of %2 loaded so far.") : tr("%1 of %2 loaded."))
                         .arg(countText(known), countedText(files, "file", "files"));
    const auto released = std::count_if(m_run.files().begin(), m_run.files().end(),
        [](const RunFile& file) { return file.state == RunFile::State::FiguresOnly && !file.isSummary(); });
    if (released > 0)
        sentences << tr("Only the figures of %1 are kept, because all files would exceed the memory limit of "
                        "%2. Choose one to load it again.")
                         .arg(countedText(released, "file", "files"),
                             bytesText(static_cast<Bytes>(m_run.memoryLimit())));
    return sentences;
}

QString RanksView::text() const
{
    QStringList sentences;
    if (m_run.ranks())
        for (const std::string& sentence : m_run.ranks()->sentences)
            sentences << toQString(sentence);
    return (sentences + loadingSentences()).join(QLatin1Char(' '));
}

void RanksView::refreshText()
{
    if (!isVisible())
        return;
    m_sentences->setText(text());
    fitAnswer();
}

} // namespace highwater::gui
