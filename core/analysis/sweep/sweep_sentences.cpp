#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/sweep/run_sweep.h"
#include "core/base/text_format.h"

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

std::string extremesSentence(const RunSweep& sweep)
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
    constexpr std::size_t mostNames = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(mostNames, names.size()); ++i)
        text += (i > 0 ? ", " : "") + sanitizedText(names[i]);
    return names.size() > mostNames ? fmt::format("{} and {} more", text, names.size() - mostNames) : text;
}

std::vector<std::string> sweepSentences(const RunSweep& sweep)
{
    std::vector<std::string> sentences = {extremesSentence(sweep),
        sentenceOf(sweep, "Ran out of memory", [](const SweepRun& run) { return run.ooms > 0; }),
        sentenceOf(sweep, "No figures", [](const SweepRun& run) { return !run.isReadable(); })};
    std::erase(sentences, std::string());
    return sentences;
}

} // namespace highwater
