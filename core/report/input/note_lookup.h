#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/hash.h"
#include "core/report/input/report_material.h"

namespace highwater {

/// The run of the report that the note is about; null: the report does not show it.
const RunMaterial* runOfNote(const ReportMaterial& material, const Note& note);
/// Whether the note is about the file and device that the report shows for the run.
bool isAboutDevice(const RunMaterial& run, const Note& note);

/// The log that a note on a line is about: the one it names, else the only one; null: none.
const RunLog* logOfNote(const RunMaterial& run, const Note& note);

/// Finds allocations as notes refer to them.
class NotedAllocations
{
public:
    /// The study must outlive it.
    explicit NotedAllocations(const DeviceStudy& study)
        : m_table(study.allocations)
    {
    }

    /// None: kNoAllocation. O(log n); the first lookup of an allocation older than the trace costs O(number
    /// of those).
    AllocationIndex find(const NotedAllocation& noted);

private:
    const AllocationTable& m_table;
    std::optional<NumberMap<Address, AllocationIndex>> m_older; ///< by address
};

/// Resolves the places of notes, with tables that are built once however many notes there are, so that each
/// place of a hostile list costs little.
class NoteLookup
{
public:
    /// The material must outlive it.
    explicit NoteLookup(const ReportMaterial& material)
        : m_material(material)
    {
    }

    const ReportMaterial& material() const { return m_material; }
    /// The call site at the run's peak: 0 bytes if it holds nothing; none: there is no such site.
    std::optional<CompositionGroup> siteAtPeak(const RunMaterial& run, const std::string& key);
    /// A row of the comparison of both peaks; null: there is none.
    const DiffRow* row(const std::string& group, const std::string& key);
    AllocationIndex allocation(const RunMaterial& run, const NotedAllocation& noted);
    /// What was parsed from a line of the log, a message or values; empty: nothing.
    std::string saidAt(const RunLog& log, std::uint64_t line);

private:
    using Sites = std::map<std::string, CompositionGroup, std::less<>>;
    /// Rows by both of their keys.
    struct Rows
    {
        RunDiff diff;
        std::map<std::string, std::size_t, std::less<>> byKey;
    };
    using Lines = std::map<std::uint64_t, std::string>;

    RunDiff diffBy(GroupKey key) const;
    Lines linesOf(const Trace& log) const;

    const ReportMaterial& m_material;
    std::map<const RunMaterial*, Sites> m_sites;
    std::map<const RunMaterial*, NotedAllocations> m_allocations;
    std::map<std::string, Rows> m_rows; ///< by group
    std::map<const Trace*, Lines> m_lines; ///< those that notes are on
};

} // namespace highwater
