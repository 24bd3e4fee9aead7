#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/analysis/device/device_study.h"

namespace highwater::test {

/// What hooks in the recorded script knew of one device: the truth beside a rehearsed recording
/// (`highwater rehearse --labels`; what is in the file: resources/rehearse/highwater_labels.py).
class RecordingLabels
{
public:
    /// The groups that labels tell apart; all that is neither parameter, gradient nor state is the last.
    enum Group : std::size_t
    {
        Parameters,
        Gradients,
        OptimizerState,
        Rest,
        Unknown
    };
    static constexpr std::size_t kGroups = 5;

    /// Joins labels to blocks: the block of a label is that of the last allocation at its address up to the
    /// count of allocations that the label has. Throws where the file is no document of labels.
    RecordingLabels(const std::string& path, const DeviceStudy& study);

    /// Of an allocation; never Unknown.
    Group of(AllocationIndex allocation) const { return m_groups[allocation]; }
    static Group groupOf(Category category);

    /// Ends of the steps that lie in the recording whole and in which an optimizer ran: the step ends
    /// somewhere from `end` to `latestEnd`, events, since nobody allocates in between.
    struct TrueStep
    {
        std::int64_t end = 0;
        std::int64_t latestEnd = 0;
    };
    const std::vector<TrueStep>& steps() const { return m_steps; }

    /// The module whose forward or backward made the allocation, by its name in the model; empty: none, it is
    /// older than the trace, or the file tells none.
    std::string makerOf(AllocationIndex allocation) const;
    bool tellsMakers() const { return !m_makers.empty(); }

    /// "forward", "backward", "optimizer", "evaluation", "between" or "setup".
    std::string phaseAt(std::int64_t event) const;

private:
    struct Interval
    {
        std::string name;
        std::int64_t begin = 0; ///< counts of allocations (begin, end]
        std::int64_t end = 0;
    };

    std::int64_t countAt(std::int64_t event) const;

    std::vector<Group> m_groups; ///< by allocation
    std::vector<std::int64_t> m_births; ///< events of the traced allocations, ascending
    std::int64_t m_countBefore = 0; ///< allocations of the device before the trace
    std::vector<TrueStep> m_steps;
    std::vector<Interval> m_phases;
    std::size_t m_older = 0; ///< allocations older than the trace
    std::vector<std::pair<std::int64_t, std::string>> m_makers; ///< count from which on it allocates, name
};

} // namespace highwater::test
