#include "core/analysis/diff/step_alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>

namespace highwater {

namespace {

bool isNamed(const StepTable& table)
{
    return table.source == StepSource::ProfilerStep || table.source == StepSource::Ranges;
}

/// Both run through their steps in order; a pair is made where the names meet.
std::optional<AlignedSteps> byName(const StepTable& before, const StepTable& after)
{
    if (!isNamed(before) || !isNamed(after))
        return std::nullopt;
    std::map<std::string, std::size_t> afterOf;
    for (std::size_t i = 0; i < after.steps.size(); ++i)
        afterOf.try_emplace(after.steps[i].name, i);
    AlignedSteps aligned{StepAlignment::Name, {}};
    std::size_t next = 0;
    bool any = false;
    for (std::size_t i = 0; i < before.steps.size(); ++i) {
        const auto found = afterOf.find(before.steps[i].name);
        if (found == afterOf.end() || found->second < next) {
            aligned.pairs.push_back({i, std::nullopt});
            continue;
        }
        for (; next < found->second; ++next)
            aligned.pairs.push_back({std::nullopt, next});
        aligned.pairs.push_back({i, next++});
        any = true;
    }
    for (; next < after.steps.size(); ++next)
        aligned.pairs.push_back({std::nullopt, next});
    return any ? std::optional(std::move(aligned)) : std::nullopt;
}

/// Step i of the run before stands beside step i + move of the run after.
AlignedSteps moved(std::size_t before, std::size_t after, std::ptrdiff_t move, StepAlignment alignment)
{
    AlignedSteps aligned{alignment, {}};
    const auto beforeCount = static_cast<std::ptrdiff_t>(before);
    const auto afterCount = static_cast<std::ptrdiff_t>(after);
    for (std::ptrdiff_t i = std::min<std::ptrdiff_t>(0, -move); i < std::max(beforeCount, afterCount - move);
         ++i) {
        StepPair pair;
        if (i >= 0 && i < beforeCount)
            pair.before = static_cast<std::size_t>(i);
        if (i + move >= 0 && i + move < afterCount)
            pair.after = static_cast<std::size_t>(i + move);
        if (pair.before || pair.after)
            aligned.pairs.push_back(pair);
    }
    return aligned;
}

double difference(const StepTable& before, const StepTable& after, std::ptrdiff_t move)
{
    double sum = 0;
    int pairs = 0;
    for (const StepPair& pair :
        moved(before.steps.size(), after.steps.size(), move, StepAlignment::BestMatch).pairs) {
        if (!pair.before || !pair.after)
            continue;
        const auto peak
            = [](const Step& step) { return static_cast<double>(std::max<Bytes>(step.peakBytes, 1)); };
        sum += std::abs(std::log(peak(after.steps[*pair.after]) / peak(before.steps[*pair.before])));
        ++pairs;
    }
    return pairs > 0 ? sum / pairs : std::numeric_limits<double>::max();
}

} // namespace

std::string_view toText(StepAlignment alignment)
{
    static constexpr std::array<std::string_view, 3> names = {"name", "index", "best-match"};
    return names[static_cast<std::size_t>(alignment)];
}

AlignedSteps alignSteps(const StepTable& before, const StepTable& after)
{
    if (std::optional<AlignedSteps> named = byName(before, after))
        return *std::move(named);
    const auto more
        = static_cast<std::ptrdiff_t>(after.steps.size()) - static_cast<std::ptrdiff_t>(before.steps.size());
    std::ptrdiff_t best = 0;
    double least = difference(before, after, 0);
    for (std::ptrdiff_t move = more > 0 ? 1 : -1; more != 0 && std::abs(move) <= std::abs(more);
         move += more > 0 ? 1 : -1) {
        const double here = difference(before, after, move);
        if (here < least) {
            best = move;
            least = here;
        }
    }
    return moved(before.steps.size(), after.steps.size(), best,
        best == 0 ? StepAlignment::Index : StepAlignment::BestMatch);
}

} // namespace highwater
