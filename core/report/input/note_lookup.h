#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/hash.h"
#include "core/report/input/report_material.h"

namespace highwater {

/// Returns the run of the report to which the note belongs; null if the report does not show it.
const RunMaterial* runOfNote(const ReportMaterial& material, const Note& note);
/// True if the note belongs to the file and device that the report shows for the run.
bool isAboutDevice(const RunMaterial& run, const Note& note);

/// Returns the log of a note on a line: the one that the note names, or null if the run has no such log. If
/// the note names none, returns the first log; null if there is none, or if the run has a device and several
/// logs.
const RunLog* logOfNote(const RunMaterial& run, const Note& note);

/// Finds the allocations to which notes refer.
class NotedAllocations
{
public:
    /// The study must outlive it.
    explicit NotedAllocations(const DeviceStudy& study)
        : m_table(study.allocations)
    {
    }

    /// Returns kNoAllocation if there is none. O(log n); the first lookup of an allocation made before
    /// recording began costs O(number of such allocations).
    AllocationIndex find(const NotedAllocation& noted);

private:
    const AllocationTable& m_table;
    std::optional<NumberMap<Address, AllocationIndex>> m_older; ///< By address
};

/// Resolves the places of notes. The tables for this are built once, so that even a malicious list of many
/// notes costs little per note.
class NoteLookup
{
public:
    /// The material must outlive it.
    explicit NoteLookup(const ReportMaterial& material)
        : m_material(material)
    {
    }

    const ReportMaterial& material() const { return m_material; }
    /// Returns the call site at the run's peak, with 0 bytes if it has no live memory then; nullopt if there
    /// is no such site.
    std::optional<CompositionGroup> siteAtPeak(const RunMaterial& run, const std::string& key);
    /// Returns a row of the comparison of both peaks; null if there is none.
    const DiffRow* row(const std::string& group, const std::string& key);
    /// Returns kNoAllocation if there is none. The run must have a device, here and for `siteAtPeak`.
    AllocationIndex allocation(const RunMaterial& run, const NotedAllocation& noted);
    /// Returns the content parsed from a line to which a note of the report refers, a message or values; may
    /// be empty.
    std::string textAtLine(const RunLog& log, std::uint64_t line);

private:
    using Sites = std::map<std::string, CompositionGroup, std::less<>>;
    /// Rows by either of their keys.
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
    std::map<std::string, Rows> m_rows; ///< By group
    std::map<const Trace*, Lines> m_lines; ///< Only for logs with notes
};

} // namespace highwater
