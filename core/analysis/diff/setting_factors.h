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

/// Settings with whole positive numbers whose names can be those of a dimension of tensors: a length, a
/// batch, a width. O(settings).
std::vector<SettingFactor> dimensionFactors(const std::vector<SettingChange>& changes);

/// Settings that name types of elements ("dtype", "precision": fp32, bf16 …) or switch one on ("bf16": false,
/// true): by the bytes of an element. O(settings).
std::vector<SettingFactor> precisionFactors(const std::vector<SettingChange>& changes);

/// The settings that changed by exactly this factor, the first three; empty: none did.
std::string textOfFactor(const std::vector<SettingFactor>& factors, double factor);

} // namespace highwater
