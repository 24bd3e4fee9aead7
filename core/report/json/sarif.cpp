#include "core/report/json/sarif.h"

#include <cctype>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/rule_table.h"
#include "core/base/json.h"
#include "core/base/text/sentence_text.h"
#include "core/base/version.h"
#include "core/report/model/finding_text.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

/// Returns a path as a URI reference of RFC 3986: "file:///workspace/model.py" for an absolute path.
std::string uriReference(std::string_view path)
{
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = byte < 0x80
            && (std::isalnum(byte) != 0 || std::string_view("/-._~").find(c) != std::string_view::npos);
        uri += c == '\\' ? "/" : isPlain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return uri;
}

/// Returns "error" for a certain fault, "warning" for a likely one, else "note".
const char* levelOf(const Finding& finding)
{
    if (finding.kind != FindingKind::Fault || finding.grade == Grade::C)
        return "note";
    return finding.grade == Grade::A ? "error" : "warning";
}

Json locationOf(const FailurePlace& place)
{
    Json physical = {{"artifactLocation", {{"uri", uriReference(place.file)}}}};
    if (place.line > 0)
        physical["region"] = {{"startLine", place.line}};
    Json location = {{"physicalLocation", std::move(physical)}};
    if (!place.function.empty())
        location["logicalLocations"] = Json::array({{{"name", place.function}, {"kind", "function"}}});
    return location;
}

Json resultOf(const PlacedFinding& placed)
{
    const Finding& finding = *placed.finding;
    std::string message = fullSentence(finding.title);
    if (const std::string action = actionSentence(finding); !action.empty())
        message += " " + action;
    Json result = {{"ruleId", finding.rule}, {"level", levelOf(finding)}, {"message", {{"text", message}}}};
    result["locations"] = Json::array();
    if (placed.place && !placed.place->file.empty())
        result["locations"].push_back(locationOf(*placed.place));
    result["properties"] = {{"grade", toText(finding.grade)}, {"bytes", finding.bytes},
        {"saved_bytes", finding.remedy.savedBytes}, {"recording", placed.recording}};
    return result;
}

} // namespace

Json sarifLog(const std::vector<PlacedFinding>& findings)
{
    std::set<std::string> rules;
    Json results = Json::array();
    for (const PlacedFinding& placed : findings) {
        rules.insert(placed.finding->rule);
        results.push_back(resultOf(placed));
    }
    Json ruleList = Json::array();
    for (const std::string& rule : rules)
        ruleList.push_back({{"id", rule}, {"help", {{"text", std::string(rulePage(rule))}}}});
    const Json driver
        = {{"name", "Highwater"}, {"version", programVersion()}, {"rules", std::move(ruleList)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"},
        {"runs", Json::array({{{"tool", {{"driver", driver}}}, {"results", std::move(results)}}})}};
}

} // namespace highwater
