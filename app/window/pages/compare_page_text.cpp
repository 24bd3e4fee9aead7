#include <QLabel>

#include "app/views/compare/compare_header.h"
#include "app/views/compare/row_stack.h"
#include "app/window/pages/compare_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"

// Texts about the selected rows of the comparison.

namespace highwater::gui {

std::optional<ComparedEvents> ComparePage::comparedMoments() const
{
    if (!m_state.comparison() || !m_state.sideNames().areMoments)
        return std::nullopt;
    return ComparedEvents{m_state.moments().beforeEvent, m_state.moments().afterEvent};
}

PictureTitle ComparePage::pictureTitle() const
{
    return {m_header->headline(), m_header->details()};
}

namespace {

/// Returns the lines of a key, one frame each; only the innermost frames of a long stack.
QString keyLines(const std::string& key)
{
    constexpr qsizetype most = 14;
    QStringList lines = toQString(key).toHtmlEscaped().split(QLatin1Char('\n'));
    const qsizetype more = lines.size() - most;
    if (more > 0)
        lines = lines.mid(0, most) << ComparePage::tr("… %1 more").arg(countText(more));
    return lines.join(QStringLiteral("<br>"));
}

/// Returns "24 → 36 allocations, 4 GiB → 6 GiB (+2 GiB, +50%).", with the difference in bold.
QString amountsText(const DiffAmount& before, const DiffAmount& after)
{
    const ChangeText text = formatChange(before.bytes, after.bytes);
    return ComparePage::tr("%1 → %2, %3 → %4 (<b>%5</b>, %6).")
        .arg(countText(before.count), countedText(after.count, "allocation", "allocations"),
            toQString(text.before), toQString(text.after), toQString(text.delta),
            QString::fromStdString(formatRelativeDelta(before.bytes, after.bytes)));
}

} // namespace

QString ComparePage::rowFacts(std::uint32_t row) const
{
    const MomentDiff& diff = *m_state.diff();
    const DiffRow& diffRow = diff.diff.rows[row];
    QStringList facts;
    facts << QStringLiteral("<b>%1</b>").arg(toQString(shortKey(diffRow.key)).toHtmlEscaped());
    facts << tr("%1 Highlighted in both timelines.").arg(amountsText(diffRow.before, diffRow.after));
    if (diffRow.sizeRatio() && diffRow.before.bytesOfEach != diffRow.after.bytesOfEach)
        facts << tr("Each allocation: %1 → %2: %3.")
                     .arg(bytesText(diffRow.before.bytesOfEach), bytesText(diffRow.after.bytesOfEach),
                         toQString(sizeChangeText(diff.causes, row)));
    for (const Replacement& hint : diff.causes.replacements)
        if (hint.newRow == row || hint.goneRow == row)
            facts << toQString(replacementSentence(diff.diff, diff.causes, hint)).toHtmlEscaped();
    if (diffRow.isLoose)
        facts << tr("Loosely matched: your own frames agree, the torch frames below them differ.");
    if (!diffRow.beforeKey.empty())
        facts << tr("In the earlier run:<br>%1").arg(keyLines(diffRow.beforeKey));
    if (diffRow.key != shortKey(diffRow.key))
        facts << keyLines(diffRow.key);
    return facts.join(QStringLiteral("<br>"));
}

QString ComparePage::shownFacts() const
{
    const MomentDiff& diff = *m_state.diff();
    const std::vector<std::uint32_t>& rows = m_state.selectedRows();
    if (rows.size() == 1)
        return rowFacts(rows.front());
    if (rows.empty())
        return toQString(doubtfulCopiesText(diff.causes)).toHtmlEscaped();
    DiffAmount before;
    DiffAmount after;
    for (const std::uint32_t row : rows) {
        before.bytes += diff.diff.rows[row].before.bytes;
        before.count += diff.diff.rows[row].before.count;
        after.bytes += diff.diff.rows[row].after.bytes;
        after.count += diff.diff.rows[row].after.count;
    }
    return tr("<b>%1</b><br>%2")
        .arg(countedText(static_cast<std::int64_t>(rows.size()), "row", "rows"), amountsText(before, after));
}

void ComparePage::showFacts()
{
    m_facts->setText(m_state.diff() ? shownFacts() : QString());
    m_factsArea->setVisible(!m_facts->text().isEmpty());
    showStack();
}

/// Shows the stacks of the selected row, those of the run after first.
void ComparePage::showStack()
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    const std::vector<std::uint32_t>& rows = m_state.selectedRows();
    if (!diff || rows.size() != 1)
        return m_rowStack->clear();
    std::vector<RowStack::Entry> entries;
    const auto add = [&](const std::optional<MomentDiff::Origin>& origin, const ComparedRun& run,
                         std::int64_t all, const std::string& side) {
        if (!origin)
            return;
        const QString title = toQString(diff->names.caption("Stack", side));
        for (const MomentDiff::Origin::Share& share : origin->stacks) {
            const QString count = share.count == all
                ? countedText(all, "allocation", "allocations")
                : tr("%1 of %2").arg(countText(share.count), countedText(all, "allocation", "allocations"));
            if (run.analysis->trace->stacks.hasFrames(share.stack))
                entries.push_back(
                    {QStringLiteral("%1, %2").arg(title, count), run.analysis->trace, share.stack});
        }
    };
    const std::uint32_t chosen = rows.front();
    const DiffRow& row = diff->diff.rows[chosen];
    add(diff->afterOrigin(chosen), diff->comparison->after, row.after.count, diff->names.after);
    add(diff->beforeOrigin(chosen), diff->comparison->before, row.before.count, diff->names.before);
    m_rowStack->show(std::move(entries));
}

} // namespace highwater::gui
