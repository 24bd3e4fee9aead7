#include "core/analysis/diff/size_factors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/analysis/diff/setting_factors.h"

// Explains changed tensor sizes by a dimension factor d and a precision factor p: after / before = d^a · p^b.
// Input: the rows of a comparison that have one block size on each side. Equal ratios are combined.
// Candidates for d: each ratio divided by each candidate for p (1, ½, 2, ¼, 4), and its square root.
// Every d is tried with every p. Among the trials within 2% of the most explained bytes, the cheapest wins.
// Example, four rows of 24 blocks (MiB): 1 → 16, 1 → 4, 1 → 2, 4 → 4.
// The ratios are 16, 4 and 2, for 24 · (17 + 5 + 3) = 600 MiB; the equal row does not count.
//   d = 4, p = 1 explains 16 = 4² and 4 = 4¹, 528 MiB: too few.
//   d = 4, p = ½ explains all: 16 = 4², 4 = 4¹, 2 = 4·½. Cost 8.51.
//   d = 4, p = 2 explains all, but 2 by p alone, which costs more: 8.75. d = 2, p = 4 costs 9.00.
// Two factors need three different ratios, or two if other evidence confirms a factor. Result:
// SizeCause::Both, d = 4, p = ½, 600 MiB explained.

namespace highwater {

namespace {

/// Limit on the examined ratios, in order of their bytes; the others are a small part of a large comparison.
constexpr std::size_t kMaxRatios = 128;
/// Candidates for the dimension are derived from this many ratios.
constexpr std::size_t kMaxSeeds = 32;
/// The allocator rounds small requests up to this (kMinBlockSize, c10/cuda/CUDACachingAllocator.cpp).
constexpr Bytes kRounding = 512;
constexpr double kExactTolerance = 1e-9;
constexpr std::array<double, 4> kPrecisions = {0.5, 2, 0.25, 4};

/// True if the two differ by at most `tolerance`, relative to `b`.
bool isClose(double a, double b, double tolerance)
{
    return std::abs(a / b - 1) <= tolerance;
}

/// Returns by how much the ratio of two sizes may be off; nullopt if the sizes are too small for a reliable
/// ratio.
std::optional<double> toleranceOf(Bytes before, Bytes after, Quantity quantity)
{
    if (quantity == Quantity::Requested)
        return kExactTolerance;
    const double tolerance = double(kRounding) / double(before) + double(kRounding) / double(after);
    return tolerance < 0.05 ? std::optional(tolerance) : std::nullopt;
}

/// The changes of size with the same ratio.
struct Observation
{
    Bytes before = 1;
    Bytes after = 1;
    Bytes bytes = 0;
    double ratio() const { return double(after) / double(before); }
};

/// True if the blocks of a row are probably the same tensors in both runs: their counts agree, and they are
/// not parameters in one run only.
bool isOfSameTensors(const DiffRow& row, const RowContents& contents)
{
    return !contents.areParametersInOneRun && countsAgree(row.before.count, row.after.count);
}

/// Returns the ratios of the rows with one size in each run, those of most bytes first.
std::vector<Observation> observeRatios(const RunDiff& diff, const DiffContents& contents)
{
    std::map<std::pair<Bytes, Bytes>, Observation> byRatio;
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        const DiffRow& row = diff.rows[i];
        if (!isOfSameTensors(row, contents.rows[i]))
            continue;
        const Bytes before = row.before.bytesOfEach;
        const Bytes after = row.after.bytesOfEach;
        if (before <= 0 || after <= 0 || before == after)
            continue;
        const Bytes divisor = std::gcd(before, after);
        Observation& observation
            = byRatio.try_emplace({before / divisor, after / divisor}, Observation{before, after, 0})
                  .first->second;
        observation.bytes += row.before.bytes + row.after.bytes;
    }
    std::vector<Observation> byBytes;
    for (const auto& [ratio, observation] : byRatio)
        byBytes.push_back(observation);
    std::ranges::stable_sort(byBytes, std::greater(), &Observation::bytes);
    return byBytes;
}

/// True if the value can be the ratio of two lengths.
bool isFraction(double value)
{
    for (int divisor = 1; divisor <= 64; ++divisor)
        if (const double whole = value * divisor;
            isClose(whole, std::max(1.0, std::round(whole)), kExactTolerance))
            return true;
    return value < 1 && isFraction(1 / value);
}

/// Returns the factors that may be the dimension; see the top of the file.
std::set<double> dimensionCandidates(const std::vector<Observation>& observations)
{
    std::set<double> candidates = {1.0};
    for (std::size_t i = 0; i < std::min(observations.size(), kMaxSeeds); ++i)
        for (const double precision : {1.0, 0.5, 2.0, 0.25, 4.0}) {
            candidates.insert(observations[i].ratio() / precision);
            candidates.insert(std::sqrt(observations[i].ratio() / precision));
        }
    return candidates;
}

/// Blocks with half the size of parameters. Sizes with more blocks than parameters are left out.
struct Halves
{
    std::int64_t count = 0;
    Bytes bytes = 0;
    bool areConclusive = false; ///< for some size, nearly all parameters have such a block
};

/// Evidence for a factor besides the sizes themselves.
struct Support
{
    std::vector<SettingFactor> dimensions;
    std::vector<SettingFactor> precisions;
    double suggestedPrecision = 1; ///< by copies of parameters
    Halves halves = {}; ///< the copies that suggest it

    bool confirmsDimension(double value) const { return !settingsOfFactor(dimensions, value).empty(); }
    bool confirmsPrecision(double value) const
    {
        return value != 1 && (value == suggestedPrecision || !settingsOfFactor(precisions, value).empty());
    }
};

/// A pair of factors and how well it explains the changes.
struct Trial
{
    SizeFactors factors;
    Bytes precisionAlone = 0; ///< bytes explained by the precision without the dimension
    std::size_t ratios = 0; ///< number of different ratios explained
    bool countsDimensionOnce = false; ///< in some ratio
    std::size_t confirmations = 0; ///< number of factors that other evidence confirms
    double cost = 0;
};

/// Returns a cost that is lower for simpler explanations. The weights rank confirmation first, then the
/// number of factors, then the rest.
double costOf(const Trial& trial)
{
    const SizeFactors& factors = trial.factors;
    const double explained = double(std::max<Bytes>(factors.explainedBytes, 1));
    double cost = -6.0 * double(trial.confirmations);
    cost += factors.dimension != 1 ? 4 : 0;
    cost += factors.precision != 1 ? 4 + std::abs(std::log2(factors.precision)) / 2 : 0;
    cost += factors.dimension != 1 && !isFraction(factors.dimension) ? 6 : 0;
    cost += factors.dimension != 1 ? 2 * double(trial.precisionAlone) / explained : 0;
    // Prefers 16 to 4² if both explain a ratio of 16: a square alone is no evidence of its root.
    cost += factors.dimension != 1 && !trial.countsDimensionOnce ? 0.25 : 0;
    return cost + std::abs(std::log2(factors.dimension)) / 256;
}

/// Measures how well two factors explain the changes.
Trial tryFactors(double dimension, double precision, const std::vector<Observation>& observations,
    Quantity quantity, const Support& support)
{
    Trial trial;
    trial.factors.dimension = dimension;
    trial.factors.precision = precision;
    for (std::size_t i = 0; i < std::min(observations.size(), kMaxRatios); ++i) {
        const std::optional<SizePower> power
            = explainingPower(trial.factors, observations[i].before, observations[i].after, quantity);
        if (!power || *power == SizePower{})
            continue;
        trial.factors.explainedBytes += observations[i].bytes;
        trial.precisionAlone += power->dimension == 0 ? observations[i].bytes : 0;
        trial.countsDimensionOnce = trial.countsDimensionOnce || power->dimension == 1;
        ++trial.ratios;
    }
    trial.confirmations = std::size_t{dimension != 1 && support.confirmsDimension(dimension)}
        + std::size_t{support.confirmsPrecision(precision)};
    trial.cost = costOf(trial);
    return trial;
}

/// Returns the trial of the lowest cost, among those that explain within 2% of the most bytes.
Trial bestTrial(const std::vector<Observation>& observations, Quantity quantity, const Support& support)
{
    std::vector<Trial> trials;
    for (const double dimension : dimensionCandidates(observations))
        for (const double precision : {1.0, 0.5, 2.0, 0.25, 4.0})
            trials.push_back(tryFactors(dimension, precision, observations, quantity, support));
    Bytes most = 0;
    for (const Trial& trial : trials)
        most = std::max(most, trial.factors.explainedBytes);
    std::erase_if(
        trials, [&](const Trial& trial) { return trial.factors.explainedBytes < most - most / 50; });
    return *std::ranges::min_element(trials, {}, &Trial::cost);
}

bool couldBePrecision(double factor)
{
    return std::ranges::any_of(
        kPrecisions, [factor](double precision) { return isClose(factor, precision, kExactTolerance); });
}

SizeFactors noFactors(NoFactorsReason why, Bytes changed)
{
    SizeFactors factors;
    factors.why = why;
    factors.changedBytes = changed;
    return factors;
}

/// True if the factor is not a simple fraction and rests on a single ratio: such a change may have any cause.
bool isAccidental(const Trial& trial)
{
    return trial.confirmations == 0 && trial.ratios < 2 && !isFraction(trial.factors.dimension);
}

/// Decides whether a single factor is the dimension or the precision.
SizeFactors concludeSingleFactor(const Trial& trial)
{
    SizeFactors factors = trial.factors;
    const bool isPrecision = factors.precision != 1;
    const double value = isPrecision ? factors.precision : factors.dimension;
    factors.cause = isPrecision ? SizeCause::Precision : SizeCause::Dimension;
    if (trial.confirmations == 0 && trial.ratios == 1 && couldBePrecision(value)) {
        factors.cause = SizeCause::Either;
        factors.dimension = value;
        factors.precision = 1;
    }
    return factors;
}

/// Makes the result from the best trial, if its evidence suffices. `changed` are the bytes that changed size.
SizeFactors concludeFactors(const Trial& trial, Bytes changed)
{
    const SizeFactors& factors = trial.factors;
    if (factors.explainedBytes < changed - changed / 2)
        return noFactors(NoFactorsReason::TooLittleExplained, changed);
    const bool hasTwoFactors = factors.dimension != 1 && factors.precision != 1;
    if ((hasTwoFactors && trial.ratios < (trial.confirmations > 0 ? 2u : 3u))
        || (!hasTwoFactors && isAccidental(trial)))
        return noFactors(NoFactorsReason::TooFewRatios, changed);
    SizeFactors result = hasTwoFactors ? factors : concludeSingleFactor(trial);
    if (hasTwoFactors)
        result.cause = SizeCause::Both;
    result.why = NoFactorsReason::Explained;
    result.changedBytes = changed;
    return result;
}

/// Counts the blocks with half the size of parameters. `blocks` has their number by size.
Halves halvesOf(const std::vector<SizeCount>& parameters, const std::map<Bytes, std::int64_t>& blocks)
{
    constexpr std::int64_t fewest = 4;
    Halves halves;
    for (const SizeCount& parameter : parameters) {
        const auto found = parameter.each % 2 == 0 ? blocks.find(parameter.each / 2) : blocks.end();
        if (found == blocks.end() || found->second > parameter.count)
            continue;
        halves.count += found->second;
        halves.bytes += found->first * found->second;
        halves.areConclusive = halves.areConclusive
            || (parameter.each >= kRounding && found->second >= fewest
                && countsAgree(found->second, parameter.count));
    }
    return halves;
}

/// Returns the number of blocks by size, for sizes that a row has on this side only. Skips rows with a single
/// size on both sides.
std::map<Bytes, std::int64_t> oneSided(const DiffContents& contents,
    std::vector<SizeCount> RowContents::*side, std::vector<SizeCount> RowContents::*other)
{
    std::map<Bytes, std::int64_t> blocks;
    for (const RowContents& row : contents.rows) {
        if ((row.*side).size() == 1 && (row.*other).size() == 1)
            continue;
        for (const SizeCount& size : row.*side)
            if (!std::binary_search((row.*other).begin(), (row.*other).end(), size,
                    [](const SizeCount& a, const SizeCount& b) { return a.each < b.each; }))
                blocks[size.each] += size.count;
    }
    return blocks;
}

/// Finds the copies of parameters that only one run has, and the precision that they suggest.
void findCopyFactor(const DiffContents& contents, Support& support)
{
    const Halves copiesAfter
        = halvesOf(contents.parametersAfter, oneSided(contents, &RowContents::after, &RowContents::before));
    const Halves copiesBefore
        = halvesOf(contents.parametersBefore, oneSided(contents, &RowContents::before, &RowContents::after));
    if (copiesAfter.areConclusive == copiesBefore.areConclusive)
        return;
    support.suggestedPrecision = copiesAfter.areConclusive ? 0.5 : 2;
    support.halves = copiesAfter.areConclusive ? copiesAfter : copiesBefore;
}

} // namespace

std::string_view toText(SizeCause cause)
{
    static constexpr std::array<std::string_view, 5> names
        = {"none", "dimension", "precision", "either", "both"};
    return names[static_cast<std::size_t>(cause)];
}

bool countsAgree(std::int64_t count, std::int64_t other)
{
    return std::abs(count - other) <= std::max(count, other) / 8;
}

std::optional<SizePower> explainingPower(
    const SizeFactors& factors, Bytes before, Bytes after, Quantity quantity)
{
    static constexpr std::array<SizePower, 5> powers = {{{1, 0}, {2, 0}, {1, 1}, {2, 1}, {0, 1}}};
    if (before <= 0 || after <= 0)
        return std::nullopt;
    if (before == after)
        return SizePower{};
    const std::optional<double> tolerance = toleranceOf(before, after, quantity);
    const double ratio = double(after) / double(before);
    for (const SizePower power : powers) {
        const bool isApplicable = (power.dimension == 0 || factors.dimension != 1)
            && (power.precision == 0 || factors.precision != 1);
        const double product
            = std::pow(factors.dimension, power.dimension) * std::pow(factors.precision, power.precision);
        if (isApplicable && tolerance && isClose(ratio, product, *tolerance))
            return power;
    }
    return std::nullopt;
}

SizeFactors findSizeFactors(
    const RunDiff& diff, const DiffContents& contents, const std::vector<SettingChange>& settings)
{
    const std::vector<Observation> observations = observeRatios(diff, contents);
    const Bytes changed = std::accumulate(observations.begin(), observations.end(), Bytes{0},
        [](Bytes sum, const Observation& observation) { return sum + observation.bytes; });
    if (changed == 0)
        return noFactors(NoFactorsReason::NoChange, 0);
    if (changed < (diff.before.bytes + diff.after.bytes) / 100)
        return noFactors(NoFactorsReason::HardlyAnyChange, changed);
    Support support{dimensionFactors(settings), precisionFactors(settings)};
    findCopyFactor(contents, support);
    SizeFactors factors = concludeFactors(bestTrial(observations, diff.quantity, support), changed);
    if (factors.cause == SizeCause::None)
        return factors;
    factors.dimensionSetting
        = factors.dimension == 1 ? "" : settingsOfFactor(support.dimensions, factors.dimension);
    factors.precisionSetting
        = factors.precision == 1 ? "" : settingsOfFactor(support.precisions, factors.precision);
    if (factors.precision != 1 && factors.precision == support.suggestedPrecision) {
        factors.copies = support.halves.count;
        factors.copiesBytes = support.halves.bytes;
    }
    return factors;
}

} // namespace highwater
