#include "core/analysis/diff/setting_factors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace highwater {

namespace {

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

std::string_view lastPart(std::string_view name)
{
    return name.substr(name.find_last_of('.') + 1);
}

bool namesType(const SettingChange& change)
{
    const std::string name = lower(std::string(lastPart(change.name)));
    return name.find("dtype") != std::string::npos || name.find("precision") != std::string::npos
        || name == "fp16" || name == "bf16" || name == "autocast";
}

/// Whether its name can be that of a dimension of tensors: limits of the allocator, counts of steps or
/// workers cannot.
bool namesDimension(const SettingChange& change)
{
    static constexpr std::array<std::string_view, 20> words = {"len", "seq", "context", "ctx", "batch",
        "token", "dim", "embd", "d_model", "d_ff", "hidden", "width", "height", "vocab", "resolution",
        "image_size", "block_size", "group_size", "generations", "positions"};
    const std::string name = lower(std::string(lastPart(change.name)));
    return std::any_of(words.begin(), words.end(),
        [&name](std::string_view word) { return name.find(word) != std::string::npos; });
}

std::optional<double> wholeNumber(const std::string& text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value <= 0)
        return std::nullopt;
    return static_cast<double>(value);
}

/// Bytes of an element: of "torch.bfloat16", "bf16-mixed", "fp32", "32-true"; of a switch whose name says it.
std::optional<double> elementBytes(const std::string& name, const std::string& value)
{
    const std::string text = lower(value);
    if (text == "true" || text == "false")
        return name.find("16") == std::string::npos ? std::nullopt
                                                    : std::optional(text == "true" ? 2.0 : 4.0);
    const auto has = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
    if (has("16") || has("half"))
        return 2;
    if (has("32") || text == "float" || text == "no")
        return 4;
    return has("fp8") || has("float8") || has("int8") ? std::optional(1.0) : std::nullopt;
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
        const auto before = wholeNumber(change.before);
        const auto after = wholeNumber(change.after);
        if (before && after && *before != *after && namesDimension(change))
            factors.push_back(factorOf(change, *before, *after));
    }
    return factors;
}

std::vector<SettingFactor> precisionFactors(const std::vector<SettingChange>& changes)
{
    std::vector<SettingFactor> factors;
    for (const SettingChange& change : changes) {
        const std::string name = lower(std::string(lastPart(change.name)));
        const auto before = elementBytes(name, change.before);
        const auto after = elementBytes(name, change.after);
        if (namesType(change) && before && after && *before != *after)
            factors.push_back(factorOf(change, *before, *after));
    }
    return factors;
}

std::string textOfFactor(const std::vector<SettingFactor>& factors, double factor)
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
