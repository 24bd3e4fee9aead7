#include "core/report/json/finding_json.h"

#include "core/base/json.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

/// Returns the target of a piece of evidence as an object; null without a target.
struct TargetJson
{
    const std::vector<AuxiliaryFile>& auxiliaryFiles;

    Json operator()(const std::monostate&) const { return nullptr; }
    Json operator()(const EventTarget& target) const { return {{"event", target.event}}; }
    Json operator()(const EventRange& range) const
    {
        return {{"range", Json::array({range.first, range.last})}};
    }
    Json operator()(const StepTarget& target) const { return {{"step", target.step}}; }
    Json operator()(const SiteTarget& target) const { return {{"site", target.key}}; }
    Json operator()(const AllocationsTarget& target) const { return {{"allocations", target.allocations}}; }
    Json operator()(const SegmentTarget& target) const
    {
        return {{"segment", target.address}, {"event", target.event}};
    }
    Json operator()(const LogLineTarget& target) const
    {
        const bool isKnown = target.auxiliary < auxiliaryFiles.size();
        return {{"file", isKnown ? Json(auxiliaryFiles[target.auxiliary].name) : Json(nullptr)},
            {"line", target.line}};
    }
};

} // namespace

Json findingJson(const Finding& finding, const std::vector<AuxiliaryFile>& auxiliaryFiles)
{
    Json evidence = Json::array();
    Json links = Json::array();
    for (const Evidence& piece : finding.evidence) {
        evidence.push_back(piece.sentence);
        links.push_back(std::visit(TargetJson{auxiliaryFiles}, piece.target));
    }
    return {{"rule", finding.rule}, {"grade", toText(finding.grade)}, {"kind", toText(finding.kind)},
        {"title", finding.title}, {"device", finding.device ? Json(*finding.device) : Json(nullptr)},
        {"bytes", finding.bytes}, {"event", finding.event},
        {"step", finding.step ? Json(*finding.step) : Json(nullptr)}, {"evidence", evidence},
        {"evidence_links", links}, {"remedy", finding.remedy.action},
        {"saved_bytes", finding.remedy.savedBytes}, {"saved_is_upper_bound", finding.remedy.isUpperBound},
        {"saved_is_lower_bound", finding.remedy.isLowerBound}, {"would_disprove", finding.wouldDisprove},
        {"merged_into", finding.mergedInto.empty() ? Json(nullptr) : Json(finding.mergedInto)}};
}

} // namespace highwater
