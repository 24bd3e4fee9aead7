#pragma once

#include <vector>

#include <QString>

#include "app/workspace/theme/theme_colors.h"
#include "core/study/diagnosis.h"

namespace highwater::gui {

/// What is wrong with the run, then the findings as rich text: faults first, then facts; each with a link
/// "finding:N" at its title and "evidence:N:M" at its evidence, and "keep:N" to make a note of it.
QString findingsHtml(
    const Diagnosis& diagnosis, const std::vector<Finding>& findings, const ThemeColors& colors);

} // namespace highwater::gui
