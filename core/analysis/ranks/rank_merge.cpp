#include "core/analysis/ranks/rank_merge.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/ranks/local_ranks.h"
#include "core/analysis/ranks/merged_rank.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/analysis/ranks/run_rank_sentences.h"
#include "core/base/interruption.h"
#include "core/base/median.h"
#include "core/base/text_parts.h"
#include "core/run/choice/run_sorting.h"

namespace highwater {

namespace {

/// The most columns of the table of steps. If all ranks together have more steps, neighbours share a column.
constexpr std::size_t kMaxColumns = 2048;

/// Returns the stages in which some rank leaks.
std::vector<StageLeak> leaksOf(const std::vector<MergedRank>& ranks)
{
    std::map<std::optional<std::int64_t>, StageLeak> stages;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        StageLeak& stage = stages[ranks[i].identity.pp];
        stage.stage = ranks[i].identity.pp;
        ++stage.rankCount;
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
        stage.medianPerStep = median(std::move(growth));
        leaks.push_back(std::move(stage));
    }
    return leaks;
}

/// Returns the ranks without a file. The ranks in `known` are not missing, though the run has no file of
/// them.
std::vector<std::int64_t> missingRanks(const RunRanks& run, std::set<std::int64_t> known)
{
    for (const MergedRank& rank : run.ranks)
        if (rank.identity.rank)
            known.insert(*rank.identity.rank);
    for (const RankTrouble& trouble : run.troubles)
        if (trouble.rank) // a file that cannot be used is reported by itself
            known.insert(*trouble.rank);
    std::vector<std::int64_t> missing;
    // If most numbers are absent, the files are a selection, or their numbers are not ranks.
    if (known.size() < 2 || *known.rbegin() >= 2 * std::ssize(known))
        return missing;
    for (std::int64_t rank = 0; rank < *known.rbegin(); ++rank)
        if (!known.contains(rank))
            missing.push_back(rank);
    return missing;
}

/// Explains why one of two files of one process is not used.
std::string copyReason(const MainCandidate& used, const MainCandidate& copy)
{
    const std::string_view name = fileName(used.member.path);
    const char* const preference = !used.ranOutOfMemory ? ""
        : copy.ranOutOfMemory                           ? "; both ran out of memory"
                                                        : ", because it ran out of memory";
    if (!copy.member.rank || isSameProcess(used.evidence, copy.evidence) == SameProcess::Yes)
        return fmt::format(
            "skipped as another recording of the process of {}, which is used{}", name, preference);
    return fmt::format(
        "skipped as a second file of rank {}; {} is used{}", *copy.member.rank, name, preference);
}

/// Sorts by time if all failures have one, else by step if all have one. Otherwise the order stays.
void sortByFailure(std::vector<RankFailure>& failures)
{
    std::vector<FailureTime> times;
    for (const RankFailure& failure : failures)
        times.push_back(failure.at);
    std::vector<RankFailure> sorted;
    for (const std::size_t i : inOrderOfFailure(times))
        sorted.push_back(std::move(failures[i]));
    failures = std::move(sorted);
}

} // namespace

std::optional<RankFailure> firstFailure(const RankSummary& summary)
{
    if (summary.ooms.empty())
        return std::nullopt;
    const SummaryOom& oom = summary.ooms.front();
    RankFailure failure;
    failure.event = oom.event;
    if (oom.time > 0 && summary.clock == static_cast<int>(Clock::Unix))
        failure.at.time = oom.time;
    if (oom.step >= 0 && summary.steps[static_cast<std::size_t>(oom.step)].source != "whole")
        failure.at.step = stepNumber(summary.steps[static_cast<std::size_t>(oom.step)], oom.step);
    failure.requestedBytes = oom.requestedBytes;
    failure.site = oom.site;
    return failure;
}

std::uint32_t RankMerge::settingNumber(const NamedText& setting)
{
    const auto [found, isNew]
        = m_settingNumbers.try_emplace(setting, static_cast<std::uint32_t>(m_settings.size()));
    if (isNew)
        m_settings.push_back(setting);
    return found->second;
}

std::shared_ptr<const RankFile> RankMerge::add(
    MainCandidate facts, RankSummary summary, const RankFile* figures)
{
    const std::vector<const SummaryStep*> counted = countedSteps(summary);
    Entry entry;
    entry.rank = mergedRank(summary, counted);
    entry.steps = stepPeaks(counted);
    for (const NamedText& setting : summary.settings)
        entry.settings.push_back(settingNumber(setting));
    std::ranges::sort(entry.settings);
    entry.failure = firstFailure(summary);
    RankFile file = takeRankFile(facts.member.path, summary);
    if (figures && figures->mainDevice()) {
        RunMember member = std::move(file.member);
        file = *figures;
        file.member = std::move(member);
    }
    facts.member = file.member;
    entry.facts = std::move(facts);
    entry.file = std::make_shared<const RankFile>(std::move(file));
    return m_ranks.emplace_back(std::move(entry)).file;
}

/// Removes the ranks that are local ranks if the files come from several nodes.
void RankMerge::forgetLocalRanks()
{
    std::vector<Entry*> local;
    for (Entry& entry : m_ranks)
        if (isLocalRank(entry.rank.identity))
            local.push_back(&entry);
    const bool hasSeveralNodes = std::ranges::any_of(local, [&](const Entry* a) {
        return std::ranges::any_of(local, [&](const Entry* b) { return areOfTwoNodes(a->facts, b->facts); });
    });
    if (!hasSeveralNodes)
        return;
    for (Entry* const entry : local) {
        std::erase(entry->rank.identity.found, NamedText("rank", kLocalRankSource));
        entry->rank.identity.rank.reset();
        entry->facts.member.rank.reset();
        RankFile file = *entry->file;
        file.member.rank.reset();
        entry->file = std::make_shared<const RankFile>(std::move(file));
    }
}

/// Sets the process of each dump. A dump without a rank gets the rank that another dump of its process has.
void RankMerge::assignRanks(const std::vector<FilePlace>& places)
{
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Entry& entry = m_ranks[i];
        entry.process = places[i].process;
        if (entry.rank.identity.rank || !places[i].rank)
            continue;
        entry.rank.identity.rank = places[i].rank;
        entry.rank.identity.found.emplace_back("rank", "another dump");
        RankFile file = *entry.file;
        file.member.rank = places[i].rank;
        entry.file = std::make_shared<const RankFile>(std::move(file));
    }
}

void RankMerge::setOtherRunsAside(const MainChoice& choice, RunRanks& run)
{
    std::vector<MainCandidate> files;
    for (const Entry& entry : m_ranks)
        files.push_back(entry.facts);
    run.shown = runMain(files, choice);
    const std::size_t shown = choice.place().run;
    std::vector<Entry> ranksOfRun;
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        if (choice.places[i].run == shown)
            ranksOfRun.push_back(std::move(m_ranks[i]));
    m_ranks = std::move(ranksOfRun);
}

/// Keeps one file for each process and training step, the one that `chooseMain` names. The others become
/// troubles.
void RankMerge::setCopiesAside()
{
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::size_t>> dumps;
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        dumps[{m_ranks[i].process, m_ranks[i].rank.identity.step.value_or(-1)}].push_back(i);
    std::set<std::size_t> copies;
    for (const auto& [processAndStep, files] : dumps) {
        if (files.size() < 2)
            continue;
        std::vector<MainCandidate> facts;
        for (const std::size_t i : files)
            facts.push_back(m_ranks[i].facts);
        const std::size_t used = files[chooseMain(facts)->file];
        for (const std::size_t i : files) {
            if (i == used)
                continue;
            copies.insert(i);
            addTrouble({RankTrouble::Kind::Duplicate, m_ranks[i].file->member.path,
                m_ranks[i].rank.identity.rank, copyReason(m_ranks[used].facts, m_ranks[i].facts)});
        }
    }
    std::size_t index = 0;
    std::erase_if(m_ranks, [&](const Entry&) { return copies.contains(index++); });
}

void RankMerge::absorb(RankMerge other)
{
    for (Entry& entry : other.m_ranks) {
        for (std::uint32_t& setting : entry.settings)
            setting = settingNumber(other.m_settings[setting]);
        std::ranges::sort(entry.settings);
        m_ranks.push_back(std::move(entry));
    }
    for (RankTrouble& trouble : other.m_troubles)
        addTrouble(std::move(trouble));
    m_expected.merge(other.m_expected);
}

void RankMerge::addTrouble(RankTrouble trouble)
{
    m_troubles.push_back(std::move(trouble));
}

/// Removes the files that share no code with any other, since they probably belong to another program. Such a
/// file is kept, and reported, if it is the main file or ran out of memory. It is also kept if it is the only
/// file of its pipeline stage, because each stage may run its own code.
void RankMerge::setForeignAside(const std::string& mainPath)
{
    std::vector<const RankFile*> files;
    std::map<std::optional<std::int64_t>, std::uint32_t> ranksOfStage;
    for (const Entry& entry : m_ranks) {
        files.push_back(entry.file.get());
        ++ranksOfStage[entry.rank.identity.pp];
    }
    const std::vector<SharedCode> code = compareCode(files);
    for (std::size_t i = m_ranks.size(); i-- > 0;) {
        Entry& entry = m_ranks[i];
        entry.rank.code = code[i];
        const std::optional<std::int64_t> stage = entry.rank.identity.pp;
        if (code[i] != SharedCode::Other || entry.failure || entry.facts.member.path == mainPath
            || (stage && ranksOfStage[stage] == 1))
            continue;
        m_troubles.push_back({RankTrouble::Kind::Foreign, entry.file->member.path, entry.rank.identity.rank,
            "shares no code at its peak with any other file"});
        m_ranks.erase(m_ranks.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void RankMerge::orderRanks()
{
    std::ranges::stable_sort(
        m_ranks, [](const Entry& a, const Entry& b) { return isBefore(a.file->member, b.file->member); });
    std::ranges::stable_sort(m_troubles, {}, &RankTrouble::path);
}

StepHeat RankMerge::stepHeat() const
{
    std::set<std::int64_t> numbers;
    for (const Entry& entry : m_ranks)
        for (const auto& [number, bytes] : entry.steps)
            numbers.insert(number);
    StepHeat heat;
    if (numbers.empty())
        return heat;
    const std::size_t stepsPerColumn = (numbers.size() + kMaxColumns - 1) / kMaxColumns;
    heat.stepsPerColumn = static_cast<std::int64_t>(stepsPerColumn);
    std::unordered_map<std::int64_t, std::size_t> columnOf;
    std::size_t position = 0;
    for (const std::int64_t number : numbers) {
        if (position % stepsPerColumn == 0)
            heat.steps.push_back(number);
        columnOf[number] = position++ / stepsPerColumn;
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
    std::map<std::string, std::size_t> ranksWithSetting;
    std::size_t comparedRanks = 0;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (m_ranks[rank].rank.cutOff) // settings are stored at the end of a recording
            continue;
        ++comparedRanks;
        for (const std::uint32_t number : m_ranks[rank].settings) {
            const auto& [name, text] = m_settings[number];
            SettingValue& value = byName[name][text];
            value.value = text;
            ++ranksWithSetting[name];
            ++value.rankCount;
            if (value.first.size() < namedRanks)
                value.first.push_back(rank);
        }
    }
    std::vector<SettingOfRanks> different;
    for (auto& [name, values] : byName) {
        if (ranksWithSetting[name] < comparedRanks)
            values[std::nullopt].rankCount = comparedRanks - ranksWithSetting[name];
        if (values.size() < 2)
            continue;
        SettingOfRanks setting{name, {}};
        for (auto& [text, value] : values)
            setting.values.push_back(std::move(value));
        std::ranges::stable_sort(setting.values, std::greater<>(), &SettingValue::rankCount);
        different.push_back(std::move(setting));
    }
    return different;
}

RunRanks RankMerge::finish(std::optional<std::int64_t> rank, const std::string& shown)
{
    forgetLocalRanks();
    RunRanks run;
    IncrementalMainChoice keeper(rank, shown);
    std::vector<MainCandidate> facts;
    for (const Entry& entry : m_ranks)
        facts.push_back(entry.facts);
    std::optional<MainChoice> choice = keeper.choice(facts);
    if (!choice)
        choice = chooseMain(facts);
    if (choice) {
        assignRanks(choice->places);
        setOtherRunsAside(*choice, run);
    }
    setCopiesAside();
    setForeignAside(run.shown.member.path);
    orderRanks();
    run.heat = stepHeat();
    run.settings = differentSettings();
    std::vector<std::shared_ptr<const RankFile>> files;
    std::vector<MainCandidate> candidates;
    std::set<std::size_t> processes;
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Entry& entry = m_ranks[i];
        entry.rank.file = i;
        candidates.push_back(entry.facts);
        processes.insert(entry.process);
        files.push_back(entry.file);
        if (entry.failure) {
            entry.failure->rank = i;
            run.failures.push_back(*std::move(entry.failure));
        }
        if (entry.file->mainDevice()->peakBytes > m_ranks[run.highest].file->mainDevice()->peakBytes)
            run.highest = i;
        run.ranks.push_back(std::move(entry.rank));
    }
    run.processCount = processes.size();
    if (const std::optional<MainChoice> main = chooseMain(candidates, rank))
        run.main = main->file;
    run.table = compareRanks(std::move(files));
    sortByFailure(run.failures);
    run.leaks = leaksOf(run.ranks);
    run.troubles = std::move(m_troubles);
    run.missing = missingRanks(run, std::move(m_expected));
    run.sentences = runRankSentences(run);
    *this = RankMerge();
    return run;
}

} // namespace highwater
