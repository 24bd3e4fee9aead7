#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/setting_changes.h"

namespace highwater {

/// A numeric setting that changed, and the factor by which it changed.
struct SettingFactor
{
    std::string text; ///< "context_length 256 → 1024"
    double factor = 1; ///< value after / value before
};

/// Returns the changed integer settings whose names may be those of a tensor dimension: a length, a batch, a
/// width. O(settings).
std::vector<SettingFactor> dimensionFactors(const std::vector<SettingChange>& changes);

/// Returns the changed settings that name an element type ("dtype", "precision": fp32, bf16 …) or enable one
/// ("bf16": false, true). The factor is the ratio of bytes per element. O(settings).
std::vector<SettingFactor> precisionFactors(const std::vector<SettingChange>& changes);

/// Returns the texts of the first three settings that changed by this factor, joined by commas; empty if
/// there are none.
std::string settingsOfFactor(const std::vector<SettingFactor>& factors, double factor);

} // namespace highwater
