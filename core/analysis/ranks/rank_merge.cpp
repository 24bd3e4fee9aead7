#include "core/analysis/ranks/rank_merge.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_comparison.h"
#include "core/analysis/ranks/run_rank_sentences.h"
#include "core/base/characters.h"
#include "core/base/interruption.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Steps of all ranks together have at most so many columns.
constexpr std::size_t kMostColumns = 2048;

/// The number that a step's name ends with ("ProfilerStep#12"), else its place.
std::int64_t numberOf(const SummaryStep& step, std::int64_t place)
{
    std::size_t digits = step.name.size();
    while (digits > 0 && isDigit(step.name[digits - 1]))
        --digits;
    return parsedNumber<std::int64_t>(std::string_view(step.name).substr(digits)).value_or(place);
}

std::vector<const SummaryStep*> countedSteps(const RankSummary& summary)
{
    std::vector<const SummaryStep*> counted;
    for (const SummaryStep& step : summary.steps)
        if (step.isCounted && step.source != "whole")
            counted.push_back(&step);
    return counted;
}

std::vector<std::pair<std::int64_t, Bytes>> stepPeaks(const std::vector<const SummaryStep*>& steps)
{
    const std::size_t joined = (steps.size() + RankMerge::kMostSteps - 1) / RankMerge::kMostSteps;
    std::vector<std::pair<std::int64_t, Bytes>> peaks;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i % joined == 0)
            peaks.emplace_back(numberOf(*steps[i], static_cast<std::int64_t>(i)), steps[i]->peakBytes);
        else
            peaks.back().second = std::max(peaks.back().second, steps[i]->peakBytes);
    }
    return peaks;
}

const SummaryStep* stepOfPeak(const RankSummary& summary)
{
    for (const SummaryStep& step : summary.steps)
        if (step.begin <= summary.device.peakEvent && summary.device.peakEvent < step.end)
            return &step;
    return nullptr;
}

MergedRank mergedRank(const RankSummary& summary, const std::vector<const SummaryStep*>& counted)
{
    MergedRank rank;
    rank.identity = summary.identity;
    if (const SummaryStep* step = stepOfPeak(summary)) {
        rank.peakStep = step->source == "whole" ? "" : step->name;
        rank.peakPhase = step->peakPhase == "unknown" ? "" : step->peakPhase;
    }
    rank.steps = std::ssize(counted);
    rank.growthPerStep = summary.growthPerStep;
    rank.growthSteps = summary.growthSteps;
    rank.leaks = std::ranges::any_of(summary.findings,
        [](const SummaryFinding& finding) { return finding.rule == "growth" && finding.isFault; });
    rank.cutOff = !summary.source.cutOff.empty();
    if (!counted.empty()) {
        rank.firstEndBytes = counted.front()->endBytes;
        rank.lastEndBytes = counted.back()->endBytes;
    }
    rank.freeAtPeak = summary.device.peakFreeBytes;
    return rank;
}

RankFile fileOf(const std::string& path, RankSummary& summary)
{
    RankDevice device;
    device.ordinal = summary.device.ordinal;
    device.label = summary.device.label;
    device.quantity = static_cast<Quantity>(summary.device.quantity);
    device.events = summary.device.events;
    device.peakBytes = summary.device.peakBytes;
    device.peakEvent = summary.device.peakEvent;
    device.reservedPeakBytes = summary.device.reservedPeakBytes;
    device.ooms = std::ssize(summary.ooms);
    device.firstOom = summary.ooms.empty() ? -1 : summary.ooms.front().event;
    for (std::size_t i = 0; i < summary.sites.size() && i < RankMerge::kMostSites; ++i)
        device.peakSites.emplace_back(std::move(summary.sites[i].key), summary.sites[i].bytes);
    std::ranges::sort(device.peakSites);
    const RankIdentity& identity = summary.identity;
    RankFile file;
    file.member = {path, identity.rank, identity.step, identity.pp};
    file.devices.push_back(std::move(device));
    file.incomplete = !summary.source.cutOff.empty();
    return file;
}

std::optional<RankFailure> failureOf(const RankSummary& summary)
{
    if (summary.ooms.empty())
        return std::nullopt;
    const SummaryOom& oom = summary.ooms.front();
    RankFailure failure;
    failure.event = oom.event;
    if (oom.time > 0 && summary.clock == static_cast<int>(Clock::Unix))
        failure.time = oom.time;
    if (oom.step >= 0 && summary.steps[static_cast<std::size_t>(oom.step)].source != "whole")
        failure.step = numberOf(summary.steps[static_cast<std::size_t>(oom.step)], oom.step);
    failure.requestedBytes = oom.requestedBytes;
    failure.site = oom.site;
    return failure;
}

/// Earlier by time; where a time is missing, by step, then by rank.
bool failsBefore(const RankFailure& a, const RankFailure& b)
{
    if (a.time && b.time && *a.time != *b.time)
        return *a.time < *b.time;
    if (a.step && b.step && *a.step != *b.step)
        return *a.step < *b.step;
    return a.rank < b.rank;
}

Bytes medianOf(std::vector<Bytes> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

std::vector<StageLeak> leaksOf(const std::vector<MergedRank>& ranks)
{
    std::map<std::optional<std::int64_t>, StageLeak> stages;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        StageLeak& stage = stages[ranks[i].identity.pp];
        stage.stage = ranks[i].identity.pp;
        ++stage.ranks;
        if (ranks[i].leaks)
            stage.leaking.push_back(i);
    }
    std::vector<StageLeak> leaks;
    for (auto& [key, stage] : stages) {
        if (stage.leaking.empty())
            continue;
        std::vector<Bytes> growth;
        for (const std::size_t rank : stage.leaking)
            growth.push_back(ranks[rank].growthPerStep.value_or(0));
        stage.medianPerStep = medianOf(std::move(growth));
        leaks.push_back(std::move(stage));
    }
    return leaks;
}

std::vector<std::int64_t> missingRanks(const RunRanks& run, std::set<std::int64_t> known)
{
    for (const MergedRank& rank : run.ranks)
        if (rank.identity.rank)
            known.insert(*rank.identity.rank);
    for (const RankTrouble& trouble : run.troubles)
        if (trouble.rank) // it is named with its file
            known.insert(*trouble.rank);
    std::vector<std::int64_t> missing;
    // Few of many are a choice, or numbers that only look like ranks.
    if (known.size() < 2 || *known.rbegin() >= 2 * std::ssize(known))
        return missing;
    for (std::int64_t rank = 0; rank < *known.rbegin(); ++rank)
        if (!known.contains(rank))
            missing.push_back(rank);
    return missing;
}

} // namespace

std::uint32_t RankMerge::settingNumber(const NamedText& setting)
{
    const auto [found, isNew]
        = m_settingNumbers.try_emplace(setting, static_cast<std::uint32_t>(m_settings.size()));
    if (isNew)
        m_settings.push_back(setting);
    return found->second;
}

/// One file stands for a rank: the first, unless a later one alone tells that memory ran out. The other is a
/// trouble from now on. Returns false where that is the given one.
bool RankMerge::take(Kept kept)
{
    const RankIdentity& identity = kept.rank.identity;
    if (identity.rank) {
        const auto [known, isNew]
            = m_places.try_emplace({*identity.rank, identity.step.value_or(-1)}, m_ranks.size());
        if (!isNew)
            return takeCopy(m_ranks[known->second], std::move(kept));
    }
    m_ranks.push_back(std::move(kept));
    return true;
}

bool RankMerge::takeCopy(Kept& first, Kept kept)
{
    const bool replaces = kept.failure && !first.failure;
    const char* const why = replaces    ? ", because it ran out of memory"
        : kept.failure && first.failure ? "; both ran out of memory"
                                        : "";
    if (replaces)
        std::swap(first, kept);
    addTrouble({RankTrouble::Kind::Duplicate, kept.file->member.path, kept.rank.identity.rank,
        fmt::format("says it is rank {}, as does {}, which is used{}", *kept.rank.identity.rank,
            fileName(first.file->member.path), why)});
    return replaces;
}

std::shared_ptr<const RankFile> RankMerge::add(
    const std::string& path, RankSummary summary, const RankFile* figures)
{
    const std::vector<const SummaryStep*> counted = countedSteps(summary);
    Kept kept;
    kept.rank = mergedRank(summary, counted);
    kept.steps = stepPeaks(counted);
    for (const NamedText& setting : summary.settings)
        kept.settings.push_back(settingNumber(setting));
    std::ranges::sort(kept.settings);
    kept.failure = failureOf(summary);
    RankFile file = fileOf(path, summary);
    if (figures && figures->mainDevice()) {
        RunMember member = std::move(file.member);
        file = *figures;
        file.member = std::move(member);
    }
    kept.file = std::make_shared<const RankFile>(std::move(file));
    std::shared_ptr<const RankFile> added = kept.file;
    return take(std::move(kept)) ? added : nullptr;
}

void RankMerge::absorb(RankMerge other)
{
    for (Kept& kept : other.m_ranks) {
        for (std::uint32_t& setting : kept.settings)
            setting = settingNumber(other.m_settings[setting]);
        std::ranges::sort(kept.settings);
        take(std::move(kept));
    }
    for (RankTrouble& trouble : other.m_troubles)
        addTrouble(std::move(trouble));
}

void RankMerge::addTrouble(RankTrouble trouble)
{
    m_troubles.push_back(std::move(trouble));
}

/// A file of other code is of another program. It stays all the same, and is named, where it ran out of
/// memory or is the only one of its pipeline stage, which has code of its own.
void RankMerge::setForeignAside()
{
    std::vector<const RankFile*> files;
    std::map<std::optional<std::int64_t>, std::uint32_t> ofStage;
    for (const Kept& kept : m_ranks) {
        files.push_back(kept.file.get());
        ++ofStage[kept.rank.identity.pp];
    }
    const std::vector<SharedCode> code = compareCode(files);
    for (std::size_t i = m_ranks.size(); i-- > 0;) {
        Kept& kept = m_ranks[i];
        kept.rank.code = code[i];
        const std::optional<std::int64_t> stage = kept.rank.identity.pp;
        if (code[i] != SharedCode::Other || kept.failure || (stage && ofStage[stage] == 1))
            continue;
        m_troubles.push_back({RankTrouble::Kind::Foreign, kept.file->member.path, kept.rank.identity.rank,
            "shares no code at its peak with any other file"});
        m_ranks.erase(m_ranks.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void RankMerge::orderRanks()
{
    std::ranges::stable_sort(
        m_ranks, [](const Kept& a, const Kept& b) { return isBefore(a.file->member, b.file->member); });
    std::ranges::stable_sort(m_troubles, {}, &RankTrouble::path);
}

StepHeat RankMerge::heat() const
{
    std::set<std::int64_t> numbers;
    for (const Kept& kept : m_ranks)
        for (const auto& [number, bytes] : kept.steps)
            numbers.insert(number);
    StepHeat heat;
    if (numbers.empty())
        return heat;
    const std::size_t joined = (numbers.size() + kMostColumns - 1) / kMostColumns;
    heat.stepsPerColumn = static_cast<std::int64_t>(joined);
    std::unordered_map<std::int64_t, std::size_t> columnOf;
    std::size_t place = 0;
    for (const std::int64_t number : numbers) {
        if (place % joined == 0)
            heat.steps.push_back(number);
        columnOf[number] = place++ / joined;
    }
    heat.peaks.resize(m_ranks.size() * heat.steps.size(), StepHeat::kNone);
    for (std::size_t row = 0; row < m_ranks.size(); ++row) {
        interruptionPoint();
        for (const auto& [number, bytes] : m_ranks[row].steps) {
            Bytes& peak = heat.peaks[row * heat.steps.size() + columnOf.at(number)];
            peak = std::max(peak, bytes);
        }
    }
    return heat;
}

std::vector<SettingOfRanks> RankMerge::differentSettings() const
{
    constexpr std::size_t namedRanks = 6;
    std::map<std::string, std::map<std::optional<std::string>, SettingValue>> byName;
    std::map<std::string, std::size_t> having;
    std::size_t compared = 0;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (m_ranks[rank].rank.cutOff) // settings stand at the end of a recording
            continue;
        ++compared;
        for (const std::uint32_t number : m_ranks[rank].settings) {
            const auto& [name, text] = m_settings[number];
            SettingValue& value = byName[name][text];
            value.value = text;
            ++having[name];
            ++value.ranks;
            if (value.first.size() < namedRanks)
                value.first.push_back(rank);
        }
    }
    std::vector<SettingOfRanks> different;
    for (auto& [name, values] : byName) {
        if (having[name] < compared)
            values[std::nullopt].ranks = compared - having[name];
        if (values.size() < 2)
            continue;
        SettingOfRanks setting{name, {}};
        for (auto& [text, value] : values)
            setting.values.push_back(std::move(value));
        std::ranges::stable_sort(setting.values, std::greater<>(), &SettingValue::ranks);
        different.push_back(std::move(setting));
    }
    return different;
}

RunRanks RankMerge::finish()
{
    setForeignAside();
    orderRanks();
    RunRanks run;
    run.heat = heat();
    run.settings = differentSettings();
    std::vector<std::shared_ptr<const RankFile>> files;
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Kept& kept = m_ranks[i];
        kept.rank.file = i;
        files.push_back(kept.file);
        if (kept.failure) {
            kept.failure->rank = i;
            run.failures.push_back(*std::move(kept.failure));
        }
        if (kept.file->mainDevice()->peakBytes > m_ranks[run.highest].file->mainDevice()->peakBytes)
            run.highest = i;
        run.ranks.push_back(std::move(kept.rank));
    }
    run.table = compareRanks(std::move(files));
    std::ranges::stable_sort(run.failures, failsBefore);
    run.leaks = leaksOf(run.ranks);
    run.troubles = std::move(m_troubles);
    run.missing = missingRanks(run, std::move(m_expected));
    run.sentences = runRankSentences(run);
    *this = RankMerge();
    return run;
}

} // namespace highwater
