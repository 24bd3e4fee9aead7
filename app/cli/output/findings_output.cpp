#include "app/cli/output/findings_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "core/base/text_format.h"
#include "core/report/json/finding_json.h"
#include "core/report/model/finding_text.h"

namespace highwater::cli {

nlohmann::ordered_json findingJson(
    const Finding& finding, const std::string& path, const std::vector<CompanionFile>& companions)
{
    nlohmann::ordered_json row = highwater::findingJson(finding, companions);
    row["path"] = path;
    return row;
}

void printFinding(const Finding& finding)
{
    const Style style = Style::forStdout();
    const std::string head = fmt::format("{}  {}", toText(finding.grade), sanitizedText(finding.title));
    printOut("{}  {}\n", finding.kind == FindingKind::Fault ? style.warning(head) : style.strong(head),
        style.quiet("[" + finding.rule + "]"));
    for (const Evidence& piece : finding.evidence)
        printOut("     - {}\n", sanitizedText(piece.sentence));
    const std::string saving = savingText(finding.remedy);
    if (!finding.remedy.action.empty())
        printOut("     next: {}{}\n", sanitizedText(finding.remedy.action),
            saving.empty() ? "" : " (" + saving + ")");
    if (!finding.wouldDisprove.empty())
        printOut("     {}\n", style.quiet("would disprove it: " + sanitizedText(finding.wouldDisprove)));
}

} // namespace highwater::cli
