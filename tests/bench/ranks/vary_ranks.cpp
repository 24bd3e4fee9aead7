// Creates the summaries of a run with many ranks from one real summary:
//
// highwater_vary_ranks BASE.hws FOLDER RANKS [STAGES]
//
// Every rank has its own noise in every step. The run contains an outlier, a stage that leaks, three ranks
// that run out of memory, another setting, three damaged files, a duplicate, a foreign file and a missing
// rank. FOLDER/.planted.json lists them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>

#include <fmt/format.h>

#include "core/base/json.h"
#include "importers/source/file_source.h"
#include "importers/summary/summary_reader.h"
#include "importers/summary/summary_writer.h"

namespace highwater {

namespace {

/// Until the last step the leak grows to one part of the peak in this many.
constexpr Bytes kLeakShare = 4;
constexpr std::int64_t kFailingStep = 60; ///< index among the counted steps

/// Returns a number that depends on both arguments and is the same on every machine.
std::uint64_t noise(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t x = a * 0x9e3779b97f4a7c15ull + b * 0xbf58476d1ce4e5b9ull + 1;
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/// The ranks with a planted peculiarity.
struct Plan
{
    std::size_t ranks;
    std::size_t stages;
    std::size_t outlier() const { return ranks * 37 / 100; }
    std::size_t leakingStage() const { return stages - 1; }
    std::size_t stageOf(std::size_t rank) const { return rank % stages; }
    /// The second of these ranks fails first.
    std::array<std::size_t, 3> failing() const
    {
        return {ranks * 11 / 100, ranks * 61 / 100 + 1, ranks * 83 / 100 + 2};
    }
    std::size_t otherSetting() const { return ranks * 23 / 100; }
    std::array<std::size_t, 3> damaged() const
    {
        return {ranks * 17 / 100, ranks * 53 / 100, ranks * 71 / 100};
    }
    std::size_t duplicate() const { return ranks * 43 / 100; }
    std::size_t foreign() const { return ranks; } ///< the rank after the last one
    std::size_t missing() const { return ranks * 91 / 100; }
};

Bytes leakPerStep(const RankSummary& base)
{
    return base.device.peakBytes / kLeakShare / std::max<std::int64_t>(std::ssize(base.steps), 1) / 512 * 512;
}

/// Bytes that a rank has in addition to the base, as different sequence lengths would cause.
class Extra
{
public:
    Extra(const Plan& plan, std::size_t rank, const RankSummary& base)
        : m_plan(plan)
        , m_rank(rank)
        , m_peak(base.device.peakBytes)
        , m_leak(leakPerStep(base))
    {
    }
    /// Bytes throughout a step: stages differ by design, ranks of the same stage hardly.
    Bytes in(std::size_t step) const
    {
        Bytes bytes = m_peak / 20 * static_cast<Bytes>(m_plan.stageOf(m_rank)) + upTo(m_peak / 500, 0, 0);
        if (m_rank == m_plan.outlier())
            bytes += m_peak / 4;
        if (m_plan.stageOf(m_rank) == m_plan.leakingStage())
            bytes += m_leak * static_cast<Bytes>(step);
        return bytes / 512 * 512;
    }
    /// Bytes at a single moment.
    Bytes at(std::size_t moment, std::size_t category) const
    {
        return upTo(m_peak / 1000, moment + 1, category) / 512 * 512;
    }

private:
    Bytes upTo(Bytes most, std::size_t a, std::size_t b) const
    {
        return static_cast<Bytes>(noise(m_rank * 1000003 + a, b) % static_cast<std::uint64_t>(most + 1));
    }

    const Plan& m_plan;
    std::size_t m_rank;
    Bytes m_peak;
    Bytes m_leak;
};

std::size_t stepOfEvent(const RankSummary& summary, std::int64_t event)
{
    const auto after = std::ranges::upper_bound(summary.steps, event, std::less<>(), &SummaryStep::begin);
    return after == summary.steps.begin() ? 0 : static_cast<std::size_t>(after - summary.steps.begin()) - 1;
}

/// Derives the steps' figures from the moments.
void measureSteps(RankSummary& summary, const std::vector<Bytes>& totals)
{
    const std::vector<std::int64_t>& events = summary.moments.event;
    const auto momentOf = [&](std::int64_t event) {
        return static_cast<std::size_t>(std::ranges::lower_bound(events, event) - events.begin());
    };
    summary.device.peakBytes = 0;
    for (SummaryStep& step : summary.steps) {
        const std::size_t first = momentOf(step.begin - 1);
        const std::size_t last = std::min(momentOf(step.end - 1), totals.size() - 1);
        const auto highest = std::max_element(totals.begin() + static_cast<std::ptrdiff_t>(first),
            totals.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        step.startBytes = totals[first];
        step.endBytes = totals[last];
        step.peakBytes = *highest;
        step.peakEvent = events[static_cast<std::size_t>(highest - totals.begin())];
        if (step.peakBytes > summary.device.peakBytes) {
            summary.device.peakBytes = step.peakBytes;
            summary.device.peakEvent = step.peakEvent;
        }
    }
}

void raise(RankSummary& summary, const Extra& extra)
{
    constexpr std::size_t noisyCategories = 4;
    SummaryMoments& moments = summary.moments;
    std::vector<Bytes> totals(moments.size(), 0);
    for (std::size_t i = 0; i < moments.size(); ++i) {
        moments.byCategory[0][i] += extra.in(stepOfEvent(summary, moments.event[i]));
        for (std::size_t category = 1; category <= noisyCategories; ++category)
            moments.byCategory[category][i] += extra.at(i, category);
        for (const std::vector<Bytes>& category : moments.byCategory)
            totals[i] += category[i];
    }
    measureSteps(summary, totals);
    for (std::size_t i = 0; i < moments.reserved.size(); ++i)
        moments.reserved[i] = std::max(moments.reserved[i], totals[i] / kMiB / 2 * 2 * kMiB + 2 * kMiB);
    summary.device.reservedPeakBytes = *std::ranges::max_element(moments.reserved);
}

/// Adds a site for the bytes that the base's sites do not cover.
void addSite(RankSummary& summary, std::string key)
{
    Bytes known = summary.restBytes;
    for (const SummarySite& site : summary.sites)
        known += site.bytes;
    if (summary.device.peakBytes > known)
        summary.sites.insert(summary.sites.begin(), {std::move(key), summary.device.peakBytes - known, 1});
}

void plantLeak(RankSummary& summary, Bytes perStep)
{
    summary.growthPerStep = summary.growthPerStep.value_or(0) + perStep;
    summary.growthSteps = std::max<std::int64_t>(summary.growthSteps, std::ssize(summary.steps) - 2);
    SummaryFinding finding;
    finding.rule = "growth";
    finding.grade = "A";
    finding.title = "Every step keeps memory";
    finding.bytes = perStep * std::ssize(summary.steps);
    summary.findings.insert(summary.findings.begin(), finding);
}

void plantFailure(RankSummary& summary, std::size_t place)
{
    constexpr std::array<std::int64_t, 3> laterSteps = {20, 0, 40};
    const auto step = std::min<std::int64_t>(kFailingStep + laterSteps[place], std::ssize(summary.steps) - 1);
    SummaryOom oom;
    oom.event = summary.steps[static_cast<std::size_t>(step)].peakEvent;
    oom.step = step;
    oom.requestedBytes = Bytes{512} * kMiB;
    oom.site = "planted_request (train.py:314)";
    summary.ooms.assign(1, oom);
}

RankSummary varied(const RankSummary& base, const Plan& plan, std::size_t rank)
{
    RankSummary summary = base;
    RankIdentity& identity = summary.identity;
    identity = {};
    identity.rank = static_cast<std::int64_t>(rank);
    identity.pp = static_cast<std::int64_t>(plan.stageOf(rank));
    identity.dp = static_cast<std::int64_t>(rank / plan.stages);
    identity.host = fmt::format("node{:04}", rank / 8);
    identity.found = {{"rank", "content"}, {"pp", "content"}, {"dp", "content"}, {"host", "content"}};
    summary.source.name = fmt::format("rank{}_memory_snapshot.pickle", rank);
    raise(summary, Extra(plan, rank, base));
    addSite(summary, rank == plan.outlier() ? "planted_outlier (train.py:271)" : "varied (train.py:161)");
    if (plan.stageOf(rank) == plan.leakingStage())
        plantLeak(summary, leakPerStep(base));
    const auto failing = plan.failing();
    if (const auto at = std::ranges::find(failing, rank); at != failing.end())
        plantFailure(summary, static_cast<std::size_t>(at - failing.begin()));
    std::erase_if(summary.settings, [](const NamedText& entry) { return entry.first == "planted_setting"; });
    summary.settings.emplace_back("planted_setting", rank == plan.otherSetting() ? "other" : "usual");
    return summary;
}

RankSummary foreign(const RankSummary& base, const Plan& plan)
{
    RankSummary summary = varied(base, plan, plan.foreign());
    for (std::size_t i = 0; i < summary.sites.size(); ++i)
        summary.sites[i].key = fmt::format("of_another_program_{} (other.py:{})", i, i + 1);
    return summary;
}

bool writeFile(const std::string& path, const std::string& bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.good();
}

class Folder
{
public:
    Folder(const RankSummary& base, const Plan& plan, std::string folder)
        : m_base(base)
        , m_plan(plan)
        , m_folder(std::move(folder))
    {
    }

    bool write() const
    {
        std::vector<std::future<bool>> parts;
        constexpr std::size_t workers = 2;
        for (std::size_t worker = 0; worker < workers; ++worker)
            parts.push_back(std::async(std::launch::async, [this, worker] {
                bool good = true;
                for (std::size_t rank = worker; rank < m_plan.ranks; rank += workers)
                    good = good && (rank == m_plan.missing() || writeRank(rank));
                return good;
            }));
        bool good = true;
        for (std::future<bool>& part : parts)
            good = part.get() && good;
        good = good && writeFile(pathOf(m_plan.foreign()), summaryFileBytes(foreign(m_base, m_plan)));
        std::filesystem::copy_file(pathOf(m_plan.duplicate()), m_folder + "/zz-copy.hws",
            std::filesystem::copy_options::overwrite_existing);
        return good && writePlan();
    }

private:
    std::string pathOf(std::size_t rank) const { return fmt::format("{}/rank{:05}.hws", m_folder, rank); }

    bool writeRank(std::size_t rank) const
    {
        std::string bytes = summaryFileBytes(varied(m_base, m_plan, rank));
        const auto damaged = m_plan.damaged();
        if (rank == damaged[0])
            bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
        else if (rank == damaged[1])
            bytes.resize(bytes.size() * 6 / 10);
        else if (rank == damaged[2])
            bytes[10] = static_cast<char>(bytes[10] ^ 64);
        return writeFile(pathOf(rank), bytes);
    }

    bool writePlan() const
    {
        const nlohmann::json plan = {{"outlier", m_plan.outlier()}, {"leaking_stage", m_plan.leakingStage()},
            {"failing", m_plan.failing()}, {"first_failing", m_plan.failing()[1]},
            {"other_setting", m_plan.otherSetting()}, {"damaged", m_plan.damaged()},
            {"duplicate", m_plan.duplicate()}, {"foreign", m_plan.foreign()}, {"missing", m_plan.missing()}};
        return writeFile(m_folder + "/.planted.json", plan.dump(1));
    }

    const RankSummary& m_base;
    const Plan& m_plan;
    std::string m_folder;
};

int run(const std::string& path, const std::string& folder, std::size_t ranks, std::size_t stages)
{
    Result<std::unique_ptr<ByteSource>> file = openFile(path);
    const Result<RankSummary> base = file ? readSummary(**file, {}, SummaryParts::Everything)
                                          : Result<RankSummary>(tl::unexpected(file.error()));
    if (!base || ranks < 20 || stages == 0) {
        std::cerr << path << ": " << (base ? "needs 20 ranks or more" : base.error().message) << '\n';
        return 1;
    }
    std::filesystem::create_directories(folder);
    const Plan plan{ranks, stages};
    return Folder(*base, plan, folder).write() ? 0 : 1;
}

} // namespace

} // namespace highwater

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::cerr << "highwater_vary_ranks BASE.hws FOLDER RANKS [STAGES]\n";
        return 2;
    }
    return highwater::run(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10),
        argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 8);
}
