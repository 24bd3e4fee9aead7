#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/setting_changes.h"

namespace highwater {

/// A setting that changed by a factor.
struct SettingFactor
{
    std::string text; ///< "context_length 256 → 1024"
    double factor = 1; ///< value after / value before
};

/// Returns the integer settings whose names can be those of a tensor dimension: a length, a batch, a width.
/// O(settings).
std::vector<SettingFactor> dimensionFactors(const std::vector<SettingChange>& changes);

/// Returns the settings that name an element type ("dtype", "precision": fp32, bf16 …) or enable one ("bf16":
/// false, true), as the ratio of bytes per element. O(settings).
std::vector<SettingFactor> precisionFactors(const std::vector<SettingChange>& changes);

/// Returns the first three settings that changed by exactly this factor; empty if there are none.
std::string textOfFactor(const std::vector<SettingFactor>& factors, double factor);

} // namespace highwater
