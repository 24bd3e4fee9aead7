#include "app/views/findings/finding_note.h"

#include <algorithm>
#include <string_view>

#include "app/workspace/notes/note_places.h"
#include "core/analysis/detectors/rank_outlier.h"
#include "core/report/model/finding_text.h"

namespace highwater::gui {

namespace {

/// Escapes plain text so that Markdown shows it unchanged.
std::string asMarkdown(std::string_view text)
{
    constexpr std::string_view special = "\\`*_{}[]<>#|~&!";
    std::string escaped;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
    return escaped;
}

/// Returns the next step and the evidence of a finding as Markdown.
std::string noteText(const Finding& finding)
{
    std::string text;
    if (const std::string next = actionSentence(finding); !next.empty())
        text += "**Next:** " + asMarkdown(next) + "\n\n";
    for (const Evidence& piece : finding.evidence)
        text += "- " + asMarkdown(piece.sentence) + '\n';
    return text;
}

/// Makes a note without text at the place of a target; the note has no place if the target has none.
class TargetPlace
{
public:
    explicit TargetPlace(const RunStudy& run)
        : m_run(run)
    {
    }

    Note operator()(std::monostate) const { return {}; }
    Note operator()(const EventTarget& target) const { return noteAt(NotedMoment{target.event}); }
    Note operator()(const EventRange& range) const
    {
        return noteAt(NotedRange{std::max<std::int64_t>(range.first, 0), range.last});
    }
    Note operator()(const StepTarget& target) const
    {
        return noteAt(NotedStep{static_cast<std::int64_t>(target.step)});
    }
    Note operator()(const SiteTarget& target) const { return noteAt(NotedSite{target.key}); }
    Note operator()(const AllocationsTarget& target) const
    {
        return target.allocations.empty()
            ? Note()
            : noteAt(notedAllocation(m_run.device()->allocations, target.allocations.front()));
    }
    Note operator()(const SegmentTarget& target) const { return noteAt(NotedMoment{target.event}); }
    Note operator()(const LogLineTarget& target) const
    {
        if (target.line == 0 || target.auxiliary >= m_run.parts().auxiliaryFiles.size())
            return {};
        Note note = noteAt(NotedLine{target.line});
        note.file = m_run.parts().auxiliaryFiles[target.auxiliary].name;
        return note;
    }

private:
    const RunStudy& m_run;
};

/// Makes a note without text at the place of a finding; the note has no place if the finding has none in this
/// file.
Note noteAtPlaceOf(const Finding& finding, const RunStudy& run)
{
    if (isRankOutlier(finding))
        return {};
    if (finding.event >= 0)
        return noteAt(NotedMoment{finding.event});
    if (finding.step)
        return noteAt(NotedStep{static_cast<std::int64_t>(*finding.step)});
    for (const Evidence& piece : finding.evidence)
        if (Note note = std::visit(TargetPlace(run), piece.target);
            !std::holds_alternative<std::monostate>(note.place))
            return note;
    return {};
}

} // namespace

Note findingNote(const Finding& finding, const RunStudy& run)
{
    Note note = noteAtPlaceOf(finding, run);
    note.title = finding.title;
    note.text = noteText(finding);
    note.color = finding.kind == FindingKind::Fault ? NoteColor::Red : NoteColor::Blue;
    return note;
}

} // namespace highwater::gui
