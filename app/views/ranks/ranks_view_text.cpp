#include <algorithm>

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>

#include "app/views/ranks/ranks_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/ranks/run_rank_sentences.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/report/parts/first_page.h"

// The sentences above the picture and the table.

namespace highwater::gui {

namespace {

/// Maximum height of the sentences in lines; what is longer scrolls.
constexpr int kMaxTextLines = 3;

/// Returns the file of the rank to look at first.
const std::string& mainPath(const RunRanks& ranks)
{
    return ranks.table.files[ranks.ranks[ranks.main].file]->member.path;
}

} // namespace

void RanksView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    fitAnswer();
}

/// Lays the choosers out in one row in a short view if the sentences keep enough width, so that the map has
/// room for the names of its ranks; else in a column. Returns the height of the choosers.
int RanksView::placeChoosers(bool isShort)
{
    constexpr int leastAnswer = 280;
    int rowWidth = 0;
    int columnHeight = 0;
    int rowHeight = 0;
    for (const QComboBox* chooser : {m_chartChooser, m_tableChooser})
        if (!chooser->isHidden()) {
            rowWidth += chooser->sizeHint().width();
            columnHeight += chooser->sizeHint().height();
            rowHeight = std::max(rowHeight, chooser->sizeHint().height());
        }
    const bool isRow = isShort && width() - rowWidth >= leastAnswer;
    const auto direction = isRow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (m_choosers->direction() != direction) {
        m_choosers->setDirection(direction);
        layout()->activate();
    }
    return isRow ? rowHeight : columnHeight;
}

/// Gives the sentences the lines that they need, at most kMaxTextLines; the rest scrolls. A short view shows
/// only the first sentences that fit beside the choosers. The tool tip has all sentences.
void RanksView::fitAnswer()
{
    const int line = m_sentences->fontMetrics().lineSpacing();
    const bool isShort = height() < FigureOptions::kLowestDecorated;
    const int choosersHeight = placeChoosers(isShort);
    const int most = isShort ? std::clamp(choosersHeight / line, 1, kMaxTextLines) : kMaxTextLines;
    const auto heightOf = [this](const QStringList& sentences) {
        m_sentences->setText(sentences.join(QLatin1Char(' ')));
        return m_sentences->heightForWidth(m_answer->viewport()->width());
    };
    QStringList shown = sentences();
    const int wanted = heightOf(shown);
    for (int height = wanted; isShort && shown.size() > 1 && height > most * line; height = heightOf(shown))
        shown.removeLast();
    m_answer->setVerticalScrollBarPolicy(isShort ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    m_answer->setFixedHeight(
        std::clamp(m_sentences->heightForWidth(m_answer->viewport()->width()), line, most * line));
    QStringList all = sentences();
    if (const std::shared_ptr<const RunRanks>& ranks = m_run.ranks())
        for (const std::string& sentence : ranks->sentences)
            if (const QString text = toQString(sentence); !all.contains(text))
                all << text;
    m_answer->setToolTip(all.join(QLatin1Char('\n')));
}

void RanksView::showFindings(const RunStudy* study)
{
    m_next = study ? toQString(nextStepSentence(*study)) : QString();
    rememberNext();
    refreshText();
}

bool RanksView::isMainShown() const
{
    const std::shared_ptr<const RunRanks>& ranks = m_run.ranks();
    return ranks && !ranks->ranks.empty() && m_shown && m_run.indexOf(mainPath(*ranks)) == m_shown;
}

/// Keeps the next step of the rank to look at first while other ranks are shown.
void RanksView::rememberNext()
{
    if (m_next.isEmpty() || !isMainShown())
        return;
    m_mainNext = m_next;
    m_mainPath = mainPath(*m_run.ranks());
}

QStringList RanksView::loadingSentences() const
{
    QStringList sentences;
    const auto fileCount = static_cast<std::int64_t>(m_run.fileCount());
    const auto knownCount = static_cast<std::int64_t>(m_run.knownCount());
    if (knownCount < fileCount)
        sentences << (m_run.isLoading() ? tr("%1 of %2 loaded so far.") : tr("%1 of %2 loaded."))
                         .arg(countText(knownCount), countedText(fileCount, "file", "files"));
    const auto releasedCount = std::count_if(m_run.files().begin(), m_run.files().end(),
        [](const RunFile& file) { return file.state == RunFile::State::FiguresOnly && !file.isSummary(); });
    if (releasedCount > 0)
        sentences << tr("Only the figures of %1 are kept, because all files would exceed the memory limit of "
                        "%2. Choose one to load it again.")
                         .arg(countedText(releasedCount, "file", "files"),
                             bytesText(static_cast<Bytes>(m_run.memoryLimit())));
    return sentences;
}

QStringList RanksView::sentences() const
{
    QStringList sentences;
    const std::shared_ptr<const RunRanks>& ranks = m_run.ranks();
    if (ranks)
        for (const std::string& sentence : ranks->sentences)
            if (!repeatsDiagnosis(sentence) && !repeatsRankTable(sentence))
                sentences << toQString(sentence);
    if (ranks && !ranks->ranks.empty() && mainPath(*ranks) == m_mainPath)
        sentences.prepend(m_mainNext);
    return sentences + loadingSentences();
}

QString RanksView::text() const
{
    return sentences().join(QLatin1Char(' '));
}

void RanksView::refreshText()
{
    if (isVisible())
        fitAnswer();
}

} // namespace highwater::gui
