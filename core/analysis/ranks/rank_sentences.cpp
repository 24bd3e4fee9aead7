#include "core/analysis/ranks/rank_sentences.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/trace/trace.h"

namespace highwater {

namespace {

/// The most ranks that a sentence names; further ranks are only counted.
constexpr std::size_t kMaxRanksNamed = 6;

/// Returns "ranks 1 and 3", "rank 2", "a.pickle and rank 0".
std::string rankList(const std::vector<std::string>& names)
{
    const std::string word = "rank ";
    const bool allRanks = names.size() > 1
        && std::ranges::all_of(names, [&](const auto& name) { return name.starts_with(word); });
    std::string text = allRanks ? "ranks " : "";
    for (std::size_t i = 0; i < names.size() && i < kMaxRanksNamed; ++i) {
        if (i > 0)
            text += i + 1 == names.size() ? " and " : ", ";
        text += allRanks ? names[i].substr(word.size()) : names[i];
    }
    return names.size() > kMaxRanksNamed
        ? text + " and " + counted(names.size() - kMaxRanksNamed, "other", "others")
        : text;
}

/// Capitalizes a sentence that begins with "rank". Other sentences begin with a file name, which stays.
std::string withCapitalRank(std::string text)
{
    if (text.starts_with("rank"))
        text[0] = 'R';
    return text;
}

/// Returns " of stage 1 at step 20"; empty unless there is more than one group.
std::string groupText(const RankTable& table, const RankGroup& group)
{
    if (table.groups.size() < 2)
        return {};
    return (group.stage ? fmt::format(" of stage {}", *group.stage) : "")
        + (group.step ? fmt::format(" at step {}", *group.step) : "")
        + (!group.stage && !group.step ? fmt::format(" in {} bytes", inWords(group.quantity)) : "");
}

class Sentences
{
public:
    explicit Sentences(const RankTable& table)
        : m_table(table)
        , m_knownRanks(std::ranges::count_if(
              table.files, [](const auto& file) { return file->member.rank.has_value(); }))
    {
    }

    std::vector<std::string> compose()
    {
        addOutOfMemory();
        addOutliers();
        addAgreement();
        addUnreadable();
        addNotCompared();
        addMissing();
        addUnknownRanks();
        return std::move(m_sentences);
    }

private:
    /// Names the ranks that failed. A file of unknown rank, or a log, records a failure instead.
    void addOutOfMemory()
    {
        std::vector<std::string> ranks;
        std::vector<std::string> files;
        std::int64_t failuresInFiles = 0;
        std::size_t failedMains = 0;
        std::size_t mains = 0;
        for (const RankRow& row : m_table.rows) {
            const RankFile& file = *m_table.files[row.file];
            const RankDevice* device = m_table.deviceOf(row);
            const std::int64_t failures = device ? device->oomCount : file.failureCount;
            const bool isRank = device && file.member.rank;
            const bool isMainOfRank = isRank && row.device == file.main;
            mains += isMainOfRank;
            failedMains += isMainOfRank && failures > 0;
            if (failures == 0)
                continue;
            if (!isRank)
                failuresInFiles += failures;
            (isRank ? ranks : files)
                .push_back(device ? rankName(m_table, row) : sanitizedText(file.member.fileName()));
        }
        if (mains > 2 && failedMains == mains)
            m_sentences.push_back(fmt::format("All {} ranks ran out of memory.", mains));
        else if (!ranks.empty())
            m_sentences.push_back(withCapitalRank(rankList(ranks)) + " ran out of memory.");
        if (!files.empty())
            m_sentences.push_back(
                fmt::format("{} {} {}.", rankList(files), files.size() == 1 ? "records" : "record",
                    failuresInFiles == 1 ? "an out-of-memory failure" : "out-of-memory failures"));
    }

    /// Returns "4 ranks"; "4 files" if no rank is known.
    std::string countedRanks(std::size_t count, const std::string& before = {}) const
    {
        return m_knownRanks > 0 ? counted(count, before + "rank", before + "ranks")
                                : counted(count, before + "file", before + "files");
    }

    /// Returns the rank whose peak is nearest to the median of the group. Outliers are compared with it.
    const RankRow* typicalOf(std::size_t group) const
    {
        const RankRow* nearest = nullptr;
        for (const RankRow& row : m_table.rows)
            if (row.group == group
                && (!nearest || std::abs(row.aboveMedian) < std::abs(nearest->aboveMedian)))
                nearest = &row;
        return nearest;
    }

    std::string causeText(const RankRow& row) const
    {
        const RankRow* typical = typicalOf(row.group);
        const RankDevice* device = m_table.deviceOf(row);
        const auto difference = largestSiteDifference(*device, *m_table.deviceOf(*typical));
        // A call site explains the outlier only if its difference has the same sign and at least a quarter of
        // the size.
        if (!difference || (difference->bytes > 0) != (row.aboveMedian > 0)
            || std::abs(difference->bytes) * 4 < std::abs(row.aboveMedian))
            return {};
        return fmt::format(" It has {} {} than {}, a typical rank, at {}.",
            formatBytes(std::abs(difference->bytes)), difference->bytes > 0 ? "more" : "less",
            rankName(m_table, *typical), withCallMarks(sanitizedText(siteLabel(difference->key))));
    }

    void addOutliers()
    {
        std::vector<const RankRow*> outliers;
        for (const RankRow& row : m_table.rows)
            if (row.isOutlier)
                outliers.push_back(&row);
        std::ranges::stable_sort(outliers, [](const RankRow* a, const RankRow* b) {
            return std::abs(a->aboveMedian) > std::abs(b->aboveMedian);
        });
        for (std::size_t i = 0; i < outliers.size() && i < kMaxRanksNamed; ++i) {
            const RankRow& row = *outliers[i];
            const RankGroup& group = m_table.groups[row.group];
            m_sentences.push_back(
                withCapitalRank(fmt::format("{} peaks {} {} the median of {}{} ({}; median {}).{}",
                    rankName(m_table, row), formatBytes(std::abs(row.aboveMedian)),
                    row.aboveMedian > 0 ? "above" : "below", countedRanks(group.rankCount),
                    groupText(m_table, group), formatBytes(m_table.deviceOf(row)->peakBytes),
                    formatBytes(group.medianPeak), causeText(row))));
        }
        if (outliers.size() > kMaxRanksNamed)
            m_sentences.push_back(fmt::format("{} far from the median.",
                countedRanks(outliers.size() - kMaxRanksNamed, "more ")
                    + (outliers.size() - kMaxRanksNamed == 1 ? " is" : " are")));
        // Pipeline stages differ from each other as well, so ranks that are equal except for an outlier are
        // no stages.
        const bool canBeStages = std::ranges::all_of(m_table.groups,
            [](const RankGroup& group) { return !group.stage.has_value() && group.deviation > 0; });
        if (!outliers.empty() && canBeStages)
            m_sentences.push_back(fmt::format("If these {} are of different pipeline stages, they differ by "
                                              "design; the file names give no stage.",
                m_knownRanks > 0 ? "ranks" : "files"));
    }

    void addAgreement()
    {
        for (std::size_t i = 0; i < m_table.groups.size(); ++i) {
            const RankGroup& group = m_table.groups[i];
            const bool hasOutliers = std::ranges::any_of(
                m_table.rows, [&](const RankRow& row) { return row.group == i && row.isOutlier; });
            if (group.rankCount < 2 || hasOutliers)
                continue;
            const std::string subject = countedRanks(group.rankCount) + groupText(m_table, group);
            const bool isAlike = group.highestPeak - group.lowestPeak <= group.medianPeak / 50;
            if (group.lowestPeak == group.highestPeak)
                m_sentences.push_back(
                    fmt::format("{} agree, all peaking at {}.", subject, formatBytes(group.medianPeak)));
            else if (group.rankCount == 2 && !isAlike)
                m_sentences.push_back(fmt::format("{} peak at {} and {}.", subject,
                    formatBytes(group.lowestPeak), formatBytes(group.highestPeak)));
            else
                m_sentences.push_back(fmt::format("{}, with peaks from {} to {} (median {}).",
                    isAlike ? subject + " agree" : "None is an outlier among " + subject,
                    formatBytes(group.lowestPeak), formatBytes(group.highestPeak),
                    formatBytes(group.medianPeak)));
        }
    }

    void addUnreadable()
    {
        for (const auto& file : m_table.files)
            if (!file->error.empty())
                m_sentences.push_back(withCapitalRank(
                    fmt::format("{} cannot be read: {}.", sanitizedText(file->member.label()), file->error)));
    }

    void addNotCompared()
    {
        std::vector<std::string> incomplete;
        for (const RankRow& row : m_table.rows)
            if (m_table.files[row.file]->isIncomplete && row.device == m_table.files[row.file]->main)
                incomplete.push_back(rankName(m_table, row));
        if (!incomplete.empty())
            m_sentences.push_back(fmt::format("The {} of {} incomplete and not compared.",
                incomplete.size() == 1 ? "file" : "files",
                rankList(incomplete) + (incomplete.size() == 1 ? " is" : " are")));
    }

    void addMissing()
    {
        std::set<std::int64_t> ranks;
        for (const auto& file : m_table.files)
            if (file->member.rank)
                ranks.insert(*file->member.rank);
        // If most numbers are absent, the files are a selection, or their numbers are not ranks.
        if (ranks.size() < 2 || *ranks.rbegin() >= 2 * static_cast<std::int64_t>(ranks.size()))
            return;
        std::vector<std::string> missing;
        for (std::int64_t rank = 0; rank < *ranks.rbegin(); ++rank)
            if (!ranks.contains(rank))
                missing.push_back(fmt::format("rank {}", rank));
        if (!missing.empty())
            m_sentences.push_back(fmt::format("There is no file of {}.", rankList(missing)));
    }

    void addUnknownRanks()
    {
        if (m_knownRanks > 0) {
            if (m_knownRanks < static_cast<std::ptrdiff_t>(m_table.files.size()))
                m_sentences.emplace_back("Files of unknown rank are not compared.");
            return;
        }
        const auto compared = std::ranges::count_if(
            m_table.rows, [](const RankRow& row) { return row.group != RankRow::kNone; });
        if (compared == 2)
            m_sentences.emplace_back(
                "Ranks are unknown; these files are compared as if they were one run. If "
                "they are two runs, use highwater diff, or report with --before.");
        else if (compared > 2)
            m_sentences.emplace_back("Ranks are unknown; these files are compared as if they were one run.");
    }

    const RankTable& m_table;
    std::ptrdiff_t m_knownRanks; ///< number of files whose rank is known
    std::vector<std::string> m_sentences;
};

} // namespace

std::string rankName(const RankTable& table, const RankRow& row)
{
    const RankFile& file = *table.files[row.file];
    std::string name = sanitizedText(file.member.label());
    if (table.groups.size() < 2 && file.member.rank)
        name = fmt::format("rank {}", *file.member.rank);
    // Only the secondary devices of a process need a name.
    if (row.device != RankRow::kNone && row.device != file.main)
        name += " on " + deviceWords(file.devices[row.device].label);
    return name;
}

std::vector<std::string> rankSentences(const RankTable& table)
{
    return Sentences(table).compose();
}

} // namespace highwater
