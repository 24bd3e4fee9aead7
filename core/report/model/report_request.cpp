#include "core/report/model/report_request.h"

#include <algorithm>

#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 3> kTemplates{"incident", "before-after", "pull-request"};

/// Returns the parts on what happened, why, and how a second run differed.
std::vector<ReportPart> incidentParts()
{
    using enum ReportPart;
    return {Summary, Messages, Ranks, Findings, Comparison, Budget, NoteList, Provenance};
}

/// Returns the parts on what changed, where, and what remains to be done.
std::vector<ReportPart> beforeAfterParts()
{
    using enum ReportPart;
    return {Summary, Comparison, Budget, Findings, Ranks, NoteList, Messages, Provenance};
}

} // namespace

std::string_view toText(ReportTemplate kind)
{
    return kTemplates[static_cast<std::size_t>(kind)];
}

std::optional<ReportTemplate> reportTemplateFromText(std::string_view text)
{
    return valueNamed<ReportTemplate>(kTemplates, text);
}

std::vector<ReportPart> usualParts(ReportTemplate kind, bool isComparing)
{
    using enum ReportPart;
    if (kind == ReportTemplate::PullRequest)
        return {Summary, isComparing ? Comparison : Peak, NoteList};
    std::vector<ReportPart> parts
        = kind == ReportTemplate::BeforeAfter ? beforeAfterParts() : incidentParts();
    if (!isComparing)
        std::erase(parts, Comparison);
    return parts;
}

std::vector<ReportPart> appendixParts(ReportTemplate kind)
{
    using enum ReportPart;
    if (kind == ReportTemplate::PullRequest)
        return {};
    return {Timeline, Peak, Steps, Facts};
}

bool ReportOptions::summaryHasTimeline() const
{
    return kind != ReportTemplate::PullRequest
        && (parts.empty() || std::ranges::find(parts, ReportPart::Summary) != parts.end());
}

std::string_view titleOf(ReportPart part, const ReportOptions& options)
{
    return part == ReportPart::Timeline && options.summaryHasTimeline() ? "Further timelines" : titleOf(part);
}

} // namespace highwater
