#include "core/analysis/diff/size_cause_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "core/analysis/stacks/call_site.h"
#include "core/analysis/stacks/source_files.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

bool isSameFactor(double a, double b)
{
    return std::abs(a / b - 1) < 1e-9;
}

/// Returns "4 times as large", "half as large" or "¾ as large".
std::string timesText(double factor)
{
    if (isSameFactor(factor, 0.5))
        return "half as large";
    return factorText(factor) + (factor < 1 ? " as large" : " times as large");
}

/// Returns "elements have half the bytes", for the ratio of bytes per element.
std::string elementText(double precision)
{
    if (isSameFactor(precision, 0.5))
        return "elements have half the bytes";
    return isSameFactor(precision, 0.25)
        ? "elements have a quarter of the bytes"
        : fmt::format("elements have {} times the bytes", factorText(precision));
}

std::string dimensionSentence(const SizeFactors& factors)
{
    const std::string subject = factors.dimensionSetting.empty()
        ? "a dimension (sequence length, batch, …)"
        : fmt::format("a dimension, probably {},", factors.dimensionSetting);
    return fmt::format("×{}: {} is {}; it is squared (²) where it counts twice, as in attention scores.",
        factorText(factors.dimension), subject, timesText(factors.dimension));
}

std::string precisionSentence(const SizeFactors& factors)
{
    const std::string setting = factors.precisionSetting.empty() ? "" : ", " + factors.precisionSetting;
    const std::string copies = factors.copies > 0
        ? fmt::format(
            "; {} blocks of half the size of parameters confirm it", factors.precision < 1 ? "new" : "gone")
        : "";
    return fmt::format("×{}: {} (precision{}){}.", factorText(factors.precision),
        elementText(factors.precision), setting, copies);
}

std::string explainedSentence(const SizeFactors& factors)
{
    return fmt::format(
        "This is inferred from sizes, and explains {} of the bytes in rows whose blocks changed size.",
        formatShare(factors.explainedBytes, factors.changedBytes));
}

/// Says why the factors are unknown although sizes changed.
std::string noFactorsSentence(NoFactorsReason reason)
{
    switch (reason) {
    case NoFactorsReason::TooFewRatios:
        return "Sizes changed by too few different ratios to distinguish a dimension from the precision.";
    default: return "Neither a dimension nor the precision explains most changes of size.";
    }
}

/// Returns "96 new" or "24 gone" for blocks on one side only.
std::string countText(const std::vector<SizePart>& parts, SizeCount SizePart::*side, const char* word)
{
    std::int64_t count = 0;
    for (const SizePart& part : parts)
        count += part.isOnBothSides() ? 0 : (part.*side).count;
    return count == 0 ? std::string() : fmt::format("{} {}", formatCount(count), word);
}

/// Returns "24 blocks of 16 MiB".
std::string sizedText(const SizeCount& blocks)
{
    return fmt::format("{} of {}", counted(blocks.count, "block", "blocks"), formatBytes(blocks.each));
}

/// Returns the lines of a key, those of the user's own code first; in both parts the innermost first. Names
/// of generated code differ from run to run and are omitted.
std::vector<std::string> ownLinesFirst(const std::string& key)
{
    std::vector<std::string> lines;
    std::istringstream text(key);
    for (std::string line; std::getline(text, line);)
        if (!isCompiledFile(fileOfKeyLine(line)))
            lines.push_back(std::move(line));
    std::stable_partition(lines.begin(), lines.end(), [](const std::string& line) {
        const std::string_view file = fileOfKeyLine(line);
        return !file.empty() && !isLibraryFile(file);
    });
    return lines;
}

/// Distinguishes rows with equal labels: adds the first line by which each differs from the others, as in
/// "forward (model.py:64) ← policy_log_probs (trainer.py:186)".
void addDifferences(
    const std::vector<DiffRow>& rows, const std::vector<std::size_t>& group, std::vector<std::string>& labels)
{
    std::vector<std::vector<std::string>> stacks;
    std::map<std::string, std::size_t> rowsWith;
    for (const std::size_t row : group) {
        stacks.push_back(ownLinesFirst(rows[row].key));
        for (const std::string& line : std::set<std::string>(stacks.back().begin(), stacks.back().end()))
            ++rowsWith[line];
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
        const auto rarest = std::ranges::min_element(
            stacks[i], {}, [&rowsWith](const std::string& line) { return rowsWith[line]; });
        if (rarest != stacks[i].end() && rowsWith[*rarest] < group.size())
            labels[group[i]] += " ← " + sanitizedText(siteLabel(*rarest));
    }
}

} // namespace

std::string factorText(double factor)
{
    static constexpr std::array<std::pair<double, const char*>, 6> fractions
        = {{{0.5, "½"}, {0.25, "¼"}, {0.75, "¾"}, {1.0 / 3, "⅓"}, {2.0 / 3, "⅔"}, {0.125, "⅛"}}};
    for (const auto& [value, text] : fractions)
        if (isSameFactor(factor, value))
            return text;
    if (factor < 1)
        return fmt::format("1/{:.3g}", 1 / factor);
    return fmt::format("{:.4g}", factor);
}

std::string powerText(const SizeFactors& factors, SizePower power)
{
    std::string text = power.dimension > 0 ? factorText(factors.dimension) : "";
    text += power.dimension == 2 ? "²" : "";
    if (power.precision > 0)
        text += (text.empty() ? "" : "·") + factorText(factors.precision);
    return text;
}

std::string ratioText(const SizeFactors& factors, const SizePart& part)
{
    if (!part.isOnBothSides() || part.before.each == part.after.each)
        return {};
    const double ratio = double(part.after.each) / double(part.before.each);
    const std::string factor = factorText(ratio);
    if (!part.power)
        return factor.starts_with("1/") ? factor.substr(2) + " times smaller" : "×" + factor;
    const std::string power = powerText(factors, *part.power);
    if (part.power->dimension == 0 && factors.cause == SizeCause::Both)
        return fmt::format("×{} (precision)", power);
    return part.power->dimension + part.power->precision == 1 ? "×" + power
                                                              : fmt::format("×{} = {}", factor, power);
}

std::string sizeChangeText(const SizeCauses& causes, std::uint32_t row)
{
    constexpr std::size_t most = 3;
    const std::vector<SizePart>& parts = causes.parts[row];
    std::vector<std::string> texts;
    bool hasPairedSizes = false;
    if (parts.size() > 1 && !causes.rowsArePlaces)
        return {};
    for (const SizePart& part : parts) {
        const std::string text = ratioText(causes.factors, part);
        hasPairedSizes = hasPairedSizes || part.isOnBothSides();
        if (!text.empty() && std::ranges::find(texts, text) == texts.end())
            texts.push_back(text);
    }
    if (texts.size() > most || !hasPairedSizes)
        return {};
    for (const std::string& rest :
        {countText(parts, &SizePart::after, "new"), countText(parts, &SizePart::before, "gone")})
        if (!rest.empty())
            texts.push_back(rest);
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> legendSentences(const SizeFactors& factors)
{
    switch (factors.cause) {
    case SizeCause::None:
        if (factors.why == NoFactorsReason::HardlyAnyChange || factors.why == NoFactorsReason::NoChange)
            return {};
        return {noFactorsSentence(factors.why)};
    case SizeCause::Dimension: return {dimensionSentence(factors), explainedSentence(factors)};
    case SizeCause::Precision: return {precisionSentence(factors), explainedSentence(factors)};
    case SizeCause::Both:
        return {dimensionSentence(factors), precisionSentence(factors), explainedSentence(factors)};
    case SizeCause::Either:
        return {
            fmt::format("×{}: a dimension (sequence length, batch, …) is {}, or {} (precision); sizes alone "
                        "do not show which.",
                factorText(factors.dimension), timesText(factors.dimension), elementText(factors.dimension)),
            explainedSentence(factors)};
    }
    return {};
}

std::string causeSentence(const SizeFactors& factors)
{
    const std::string dimension = factors.dimensionSetting.empty() ? "a dimension" : factors.dimensionSetting;
    const std::string dimensionText = fmt::format("×{} ({})", factorText(factors.dimension), dimension);
    const std::string precisionText = fmt::format("×{} (precision)", factorText(factors.precision));
    const char* const pattern = "Block sizes changed {}, judging by sizes alone.";
    switch (factors.cause) {
    case SizeCause::None: return noFactorsSentence(factors.why);
    case SizeCause::Dimension: return fmt::format(fmt::runtime(pattern), dimensionText);
    case SizeCause::Precision: return fmt::format(fmt::runtime(pattern), precisionText);
    case SizeCause::Both: return fmt::format(fmt::runtime(pattern), dimensionText + " and " + precisionText);
    case SizeCause::Either:
        return fmt::format(fmt::runtime(pattern),
            fmt::format("×{} (a dimension or the precision)", factorText(factors.dimension)));
    }
    return {};
}

std::string doubtfulCopiesText(const SizeCauses& causes)
{
    std::vector<Bytes> sizes;
    std::vector<std::string> sentences;
    for (const ParameterCopies& copies : causes.copies) {
        if (copies.areLikely() || std::ranges::find(sizes, copies.blocks.each) != sizes.end())
            continue;
        sizes.push_back(copies.blocks.each);
        sentences.push_back(
            fmt::format("Of {} {} blocks of {}, at most {} can be half-precision copies: only {} {}.",
                formatCount(copies.sameSize), copies.isNew ? "new" : "gone", formatBytes(copies.blocks.each),
                formatCount(copies.parameters.count),
                counted(copies.parameters.count, "parameter has", "parameters have"),
                formatBytes(copies.parameters.each)));
    }
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::string replacementSentence(const RunDiff& diff, const SizeCauses& causes, const Replacement& replacement)
{
    const std::string came = rowLabel(diff.rows[replacement.newRow]);
    const std::string gone = rowLabel(diff.rows[replacement.goneRow]);
    if (replacement.isWhole())
        return fmt::format(
            "The blocks at {} probably replace those at {}: all sizes are the same.", came, gone);
    const std::string ratio
        = ratioText(causes.factors, {replacement.gone, replacement.came, replacement.power});
    return fmt::format("{} at {} probably replace {} at {} ({}).", sizedText(replacement.came), came,
        sizedText(replacement.gone), gone, ratio.empty() ? "same size" : ratio);
}

std::string rowLabel(const DiffRow& row)
{
    return sanitizedText(siteLabel(shortKey(row.key)));
}

std::vector<std::string> rowLabels(const std::vector<DiffRow>& rows)
{
    std::vector<std::string> labels;
    std::map<std::string, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        labels.push_back(rowLabel(rows[i]));
        alike[labels.back()].push_back(i);
    }
    for (const auto& [label, group] : alike)
        if (group.size() > 1)
            addDifferences(rows, group, labels);
    return labels;
}

} // namespace highwater
