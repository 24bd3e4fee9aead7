#include "core/analysis/diff/setting_factors.h"

#include <array>
#include <cmath>
#include <optional>

#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Returns the part after the last dot.
std::string_view lastPart(std::string_view name)
{
    return name.substr(name.find_last_of('.') + 1);
}

/// True if the setting names an element type or enables one.
bool namesType(const SettingChange& change)
{
    const std::string name = lowered(lastPart(change.name));
    return containsAny(name, {"dtype", "precision"}) || name == "fp16" || name == "bf16"
        || name == "autocast";
}

/// True if the name can be that of a tensor dimension, unlike limits of the allocator or counts of steps or
/// workers.
bool namesDimension(const SettingChange& change)
{
    static constexpr std::array<std::string_view, 20> words = {"len", "seq", "context", "ctx", "batch",
        "token", "dim", "embd", "d_model", "d_ff", "hidden", "width", "height", "vocab", "resolution",
        "image_size", "block_size", "group_size", "generations", "positions"};
    const std::string name = lowered(lastPart(change.name));
    return containsAny(name, words);
}

/// Returns the bytes per element for "torch.bfloat16", "bf16-mixed", "fp32" or "32-true", or for a boolean
/// setting with 16 in its name.
std::optional<double> elementBytes(const std::string& name, const std::string& value)
{
    const std::string text = lowered(value);
    if (text == "true" || text == "false")
        return contains(name, "16") ? std::optional(text == "true" ? 2.0 : 4.0) : std::nullopt;
    if (containsAny(text, {"16", "half"}))
        return 2;
    if (contains(text, "32") || text == "float" || text == "no")
        return 4;
    return containsAny(text, {"fp8", "float8", "int8"}) ? std::optional(1.0) : std::nullopt;
}

SettingFactor factorOf(const SettingChange& change, double before, double after)
{
    return {std::string(lastPart(change.name)) + " " + change.before + " → " + change.after, after / before};
}

} // namespace

std::vector<SettingFactor> dimensionFactors(const std::vector<SettingChange>& changes)
{
    std::vector<SettingFactor> factors;
    for (const SettingChange& change : changes) {
        const auto before = parsedNumber<std::int64_t>(change.before);
        const auto after = parsedNumber<std::int64_t>(change.after);
        if (before && after && *before > 0 && *after > 0 && *before != *after && namesDimension(change))
            factors.push_back(factorOf(change, static_cast<double>(*before), static_cast<double>(*after)));
    }
    return factors;
}

std::vector<SettingFactor> precisionFactors(const std::vector<SettingChange>& changes)
{
    std::vector<SettingFactor> factors;
    for (const SettingChange& change : changes) {
        const std::string name = lowered(lastPart(change.name));
        const auto before = elementBytes(name, change.before);
        const auto after = elementBytes(name, change.after);
        if (namesType(change) && before && after && *before != *after)
            factors.push_back(factorOf(change, *before, *after));
    }
    return factors;
}

std::string settingsOfFactor(const std::vector<SettingFactor>& factors, double factor)
{
    constexpr int most = 3;
    std::string text;
    int named = 0;
    for (const SettingFactor& setting : factors)
        if (std::abs(setting.factor / factor - 1) < 1e-9 && named++ < most)
            text += (text.empty() ? "" : ", ") + setting.text;
    return text;
}

} // namespace highwater
