#include "tests/support/labels/recording_labels.h"

#include <algorithm>
#include <map>

#include "core/base/json.h"
#include "tests/support/sample_files.h"

namespace highwater::test {

namespace {

using nlohmann::json;

/// Returns the allocation count of a device; a device without an entry had no allocations yet.
std::int64_t countOf(const json& counts, std::int64_t device)
{
    return counts.value(std::to_string(device), std::int64_t{0});
}

RecordingLabels::Group groupOfLabel(const std::string& label)
{
    if (label == "parameter")
        return RecordingLabels::Parameters;
    if (label == "gradient")
        return RecordingLabels::Gradients;
    return label == "optimizer_state" ? RecordingLabels::OptimizerState : RecordingLabels::Rest;
}

} // namespace

RecordingLabels::RecordingLabels(const std::string& path, const DeviceStudy& study)
    : m_groups(study.allocations.size(), Rest)
{
    const json document = parseJson(readDecompressed(path));
    const AllocationTable& allocations = study.allocations;
    const std::int64_t device = study.about().ordinal;
    const std::size_t older = allocations.olderCount();
    const std::int64_t all = countOf(document.at("allocations"), device);
    m_countBefore = all - static_cast<std::int64_t>(allocations.size() - older);

    std::map<Address, std::vector<AllocationIndex>> atAddress; // in order of birth
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        atAddress[allocations.address(i)].push_back(i);
        if (i >= older)
            m_births.push_back(allocations.birth(i));
    }
    for (const json& label : document.at("labels")) {
        if (label.at("device") != device)
            continue;
        const std::vector<AllocationIndex>& blocks = atAddress[label.at("address").get<Address>()];
        const auto last
            = std::max(label.at("allocations").get<std::int64_t>() - m_countBefore, std::int64_t{0});
        const auto behind = std::ranges::upper_bound(blocks, older + static_cast<std::size_t>(last),
            std::less_equal(), [](AllocationIndex i) { return static_cast<std::size_t>(i); });
        if (behind != blocks.begin())
            m_groups[*std::prev(behind)] = groupOfLabel(label.at("label"));
    }
    m_older = older;
    for (const json& maker : document.value("makers", json::array()))
        m_makers.emplace_back(countOf(maker.at(0), device), maker.at(1));
    for (const json& phase : document.at("phases"))
        m_phases.push_back(
            {phase.at("phase"), countOf(phase.at("begin"), device), countOf(phase.at("end"), device)});
    const auto eventOf = [&](std::int64_t count) -> std::int64_t {
        const std::int64_t traced = count - m_countBefore;
        return traced <= 0 ? 0
            : traced > static_cast<std::int64_t>(m_births.size())
            ? allocations.eventCount()
            : m_births[static_cast<std::size_t>(traced) - 1];
    };
    // Returns the next forward or backward after a count: a step may end anywhere before it.
    const auto nextWork = [&](std::int64_t count) {
        std::int64_t next = all;
        for (const Interval& phase : m_phases)
            if (phase.begin >= count
                && (phase.name == "forward" || phase.name == "evaluation" || phase.name == "backward"))
                next = std::min(next, phase.begin);
        return next;
    };
    for (const json& step : document.at("steps")) {
        const std::int64_t end = countOf(step.at("end"), device);
        if (!step.value("complete", true) || nextWork(countOf(step.at("begin"), device)) < m_countBefore
            || end > all)
            continue;
        const std::int64_t next = nextWork(end);
        m_steps.push_back({eventOf(end), next >= all ? allocations.eventCount() : eventOf(next + 1)});
    }
}

RecordingLabels::Group RecordingLabels::groupOf(Category category)
{
    switch (category) {
    case Category::Parameter: return Parameters;
    case Category::Gradient: return Gradients;
    case Category::OptimizerState: return OptimizerState;
    case Category::BeforeRecording:
    case Category::Unknown: return Unknown;
    default: return Rest;
    }
}

std::int64_t RecordingLabels::countAt(std::int64_t event) const
{
    return m_countBefore + (std::ranges::upper_bound(m_births, event) - m_births.begin());
}

std::string RecordingLabels::makerOf(AllocationIndex allocation) const
{
    if (allocation < m_older)
        return {};
    const std::int64_t count = m_countBefore + static_cast<std::int64_t>(allocation - m_older);
    const auto behind = std::ranges::upper_bound(
        m_makers, count, std::less(), [](const auto& maker) { return maker.first; });
    return behind == m_makers.begin() ? std::string() : std::prev(behind)->second;
}

std::string RecordingLabels::phaseAt(std::int64_t event) const
{
    const std::int64_t count = countAt(event);
    for (const Interval& phase : m_phases)
        if (phase.begin < count && count <= phase.end)
            return phase.name;
    return "between";
}

} // namespace highwater::test
