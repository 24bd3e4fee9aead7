#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/sweep/run_sweep.h"
#include "core/base/text_format.h"
#include "core/run/category_rules.h"

// Summarizes a table of runs in sentences.

namespace highwater {

namespace {

/// Returns "Ran out of memory: a.pickle (1 of 4)." for the runs that satisfy `isMatch`; empty if there are
/// none.
template <typename IsMatch>
std::string sentenceOf(const RunSweep& sweep, std::string_view heading, IsMatch isMatch)
{
    std::vector<std::string> names;
    for (const SweepRow& row : sweep.rows)
        if (isMatch(row.run))
            names.push_back(row.name);
    if (names.empty())
        return {};
    return fmt::format("{}: {} ({} of {}).", heading, namesText(names), names.size(), sweep.rows.size());
}

/// The runs with the lowest and the highest peak.
struct Extremes
{
    const SweepRow* lowest = nullptr;
    const SweepRow* highest = nullptr;
};

Extremes extremesOf(const RunSweep& sweep)
{
    const SweepRow* lowest = nullptr;
    const SweepRow* highest = nullptr;
    for (const SweepRow& row : sweep.rows) {
        if (!row.run.isReadable())
            continue;
        if (!lowest || row.run.peakBytes < lowest->run.peakBytes)
            lowest = &row;
        if (!highest || row.run.peakBytes > highest->run.peakBytes)
            highest = &row;
    }
    return {lowest, highest};
}

/// Returns "At its peak, the highest has 4.84 GiB more in parameters and 1.2 GiB less in activations.";
/// empty if no category differs much.
std::string categoriesSentence(const Extremes& runs)
{
    if (!runs.lowest || runs.lowest->run.quantity != runs.highest->run.quantity)
        return {};
    const auto change = [&](std::size_t category) {
        return runs.highest->run.categories[category] - runs.lowest->run.categories[category];
    };
    std::size_t grown = 0;
    std::size_t shrunk = 0;
    for (std::size_t category = 1; category < runs.highest->run.categories.size(); ++category) {
        if (isUncategorized(static_cast<Category>(category)))
            continue;
        grown = change(category) > change(grown) ? category : grown;
        shrunk = change(category) < change(shrunk) ? category : shrunk;
    }
    std::vector<std::string> texts;
    for (const std::size_t category : {grown, shrunk})
        if (const Bytes bytes = change(category); std::abs(bytes) * 100 >= runs.highest->run.peakBytes
            && (category == grown ? bytes > 0 : bytes < 0))
            texts.push_back(fmt::format("{} {} in {}", formatBytes(std::abs(bytes)),
                bytes > 0 ? "more" : "less", titleOf(static_cast<Category>(category))));
    return texts.empty() ? std::string()
                         : fmt::format("At its peak, the highest has {}.", fmt::join(texts, " and "));
}

/// Returns "From a.pickle to f.pickle, each run peaks 62.5 MiB higher than the one before."; empty if fewer
/// than four completed runs in a row grow alike. The first one may grow otherwise, since it also warms up.
std::string growthSentence(const RunSweep& sweep)
{
    constexpr std::ptrdiff_t leastRuns = 4;
    std::vector<const SweepRow*> rows;
    for (const SweepRow& row : sweep.rows)
        if (row.deltaBytes && row.run.oomCount == 0 && !row.run.isIncomplete)
            rows.push_back(&row);
    for (auto first = rows.begin(); rows.end() - first >= leastRuns && first - rows.begin() < 2; ++first) {
        const Bytes step = first[1]->run.peakBytes - first[0]->run.peakBytes;
        const auto growsOtherwise = [step](const SweepRow* row, const SweepRow* next) {
            return next->run.peakBytes - row->run.peakBytes != step;
        };
        const bool isNotable = step > 0 && step * (rows.end() - first) * 100 >= rows.back()->run.peakBytes;
        if (isNotable && std::adjacent_find(first, rows.end(), growsOtherwise) == rows.end())
            return fmt::format("From {} to {}, each run peaks {} higher than the one before.",
                sanitizedText((*first)->name), sanitizedText(rows.back()->name), formatBytes(step));
    }
    return {};
}

std::string extremesSentence(const Extremes& runs)
{
    const auto [lowest, highest] = runs;
    if (!lowest || lowest == highest)
        return {};
    if (lowest->run.quantity != highest->run.quantity)
        return "The runs count different bytes, so their peaks cannot be compared.";
    return fmt::format("Lowest peak: {}, {}. Highest: {}, {} ({}).", formatBytes(lowest->run.peakBytes),
        sanitizedText(lowest->name), formatBytes(highest->run.peakBytes), sanitizedText(highest->name),
        formatRelativeDelta(lowest->run.peakBytes, highest->run.peakBytes));
}

} // namespace

Bytes highestPeak(const RunSweep& sweep)
{
    Bytes highest = 0;
    for (const SweepRow& row : sweep.rows)
        highest = std::max(highest, row.run.peakBytes);
    return highest;
}

std::string namesText(const std::vector<std::string>& names)
{
    constexpr std::size_t maxNames = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(maxNames, names.size()); ++i)
        text += (i > 0 ? ", " : "") + sanitizedText(names[i]);
    return names.size() > maxNames ? fmt::format("{} and {} more", text, names.size() - maxNames) : text;
}

std::vector<std::string> sweepSentences(const RunSweep& sweep)
{
    const Extremes runs = extremesOf(sweep);
    const std::string growth = growthSentence(sweep);
    std::vector<std::string> sentences
        = {growth, extremesSentence(runs), growth.empty() ? categoriesSentence(runs) : std::string(),
            sentenceOf(sweep, "Ran out of memory", [](const SweepRun& run) { return run.oomCount > 0; }),
            sentenceOf(sweep, "No figures", [](const SweepRun& run) { return !run.isReadable(); })};
    std::erase(sentences, std::string());
    return sentences;
}

} // namespace highwater
