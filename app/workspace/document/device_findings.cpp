#include "app/workspace/document/device_findings.h"

#include <algorithm>

namespace highwater::gui {

std::size_t DeviceFindings::faults() const
{
    return static_cast<std::size_t>(std::ranges::count_if(findings, [](const Finding& finding) {
        return finding.kind == FindingKind::Fault && finding.grade != Grade::C;
    }));
}

} // namespace highwater::gui
