#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/analysis/device/device_study.h"

namespace highwater::test {

/// The truth about one device, which hooks in the recorded script wrote next to a rehearsed recording
/// (`highwater rehearse --labels`; file format: resources/rehearse/highwater_labels.py).
class RecordingLabels
{
public:
    /// The groups that labels distinguish. The last one has everything that is neither parameter, gradient
    /// nor optimizer state.
    enum Group : std::size_t
    {
        Parameters,
        Gradients,
        OptimizerState,
        Rest,
        Unknown
    };
    static constexpr std::size_t kGroups = 5;

    /// Connects labels to blocks: a label belongs to the last allocation at its address up to the label's
    /// count of allocations. Throws if the file is not a document of labels.
    RecordingLabels(const std::string& path, const DeviceStudy& study);

    /// Returns the group of an allocation; never Unknown.
    Group of(AllocationIndex allocation) const { return m_groups[allocation]; }
    static Group groupOf(Category category);

    /// The end of a step that is completely within the recording and in which an optimizer ran. The step ends
    /// at some event from `end` to `latestEnd`, because there is no allocation in between.
    struct TrueStep
    {
        std::int64_t end = 0;
        std::int64_t latestEnd = 0;
    };
    const std::vector<TrueStep>& steps() const { return m_steps; }

    /// Returns the name in the model of the module whose forward or backward made the allocation. Empty if no
    /// module did, if it was allocated before recording began, or if the file does not name modules.
    std::string makerOf(AllocationIndex allocation) const;
    bool tellsMakers() const { return !m_makers.empty(); }

    /// Returns "forward", "backward", "optimizer", "evaluation", "between" or "setup".
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
    std::int64_t m_countBefore = 0; ///< number of the device's allocations before the trace
    std::vector<TrueStep> m_steps;
    std::vector<Interval> m_phases;
    std::size_t m_older = 0; ///< number of allocations made before recording began
    std::vector<std::pair<std::int64_t, std::string>> m_makers; ///< first count and name of each module
};

} // namespace highwater::test
