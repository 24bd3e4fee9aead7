#pragma once

#include <QString>

#include "app/workspace/document/device_findings.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// The findings as rich text: faults first, then facts; each with a link "finding:N" at its title and
/// "evidence:N:M" at its evidence, and "keep:N" to make a note of it.
QString findingsHtml(const DeviceFindings& found, const ThemeColors& colors);

} // namespace highwater::gui
