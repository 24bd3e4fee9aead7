#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/labels/recording_labels.h"
#include "tests/support/sample_files.h"

/// Recordings in which hooks recorded the true category of each block, compared with Highwater's results.
namespace highwater {

namespace {

using test::RecordingLabels;

constexpr std::array kLabelled = {RecordingLabels::Parameters, RecordingLabels::Gradients,
    RecordingLabels::OptimizerState, RecordingLabels::Rest};

/// Memory at the peak of one device, and the device's steps, according to the labels and to Highwater.
struct Comparison
{
    std::string name; ///< with ":1" for a second device
    Bytes peak = 0;
    std::array<Bytes, RecordingLabels::kGroups> meant{};
    /// Bytes found in each group minus bytes labelled as it. Unknown blocks count for no group.
    std::array<Bytes, RecordingLabels::kGroups> excess{};
    Bytes unknown = 0;
    bool hasStacks = false;
    std::size_t steps = 0;
    std::size_t foundSteps = 0;
    bool trains = false; ///< otherwise iterations of a loop that runs a model may count as steps
    bool endsAgree = true;
    std::string phase;
    std::string foundPhase;
    /// Wrongly classified bytes, by the reason for Highwater's choice.
    std::map<std::string, Bytes> wrongFor;

    double percent(Bytes bytes) const
    {
        return peak == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(peak);
    }
    double largestDifference() const
    {
        Bytes largest = 0;
        for (const Bytes bytes : excess)
            largest = std::max(largest, std::abs(bytes));
        return percent(largest);
    }
    bool areBytesRight() const { return largestDifference() <= 1 && (percent(unknown) <= 2 || !hasStacks); }
    bool areStepsRight() const { return !trains || (foundSteps == steps && endsAgree); }
    bool isPhaseRight() const;
};

/// Highwater has no name for the time between phases, and several names for a pass without a backward.
bool isSamePhase(const std::string& meant, const std::string& found)
{
    static const std::map<std::string, std::vector<std::string>> same
        = {{"evaluation", {"evaluation", "scoring", "generation", "forward"}},
            {"between", {"unknown", "data", "optimizer"}}, {"setup", {"unknown", "data"}}};
    const auto others = same.find(meant);
    return meant == found
        || (others != same.end() && std::ranges::find(others->second, found) != others->second.end());
}

bool Comparison::isPhaseRight() const
{
    return isSamePhase(phase, foundPhase) || !hasStacks;
}

Comparison compare(const std::string& name, const RecordingLabels& labels, const DeviceStudy& study)
{
    const CurvePeak peak = study.curve.peak();
    Comparison result;
    result.name = name;
    result.peak = peak.bytes;
    for (const AllocationIndex i : study.allocations.liveAt(peak.event)) {
        const Bytes bytes = study.allocations.bytes(i);
        const RecordingLabels::Group meant = labels.of(i);
        const RecordingLabels::Group called = RecordingLabels::groupOf(study.categories.of(i));
        result.meant[meant] += bytes;
        if (called == RecordingLabels::Unknown) {
            result.unknown += bytes;
        } else {
            result.excess[meant] -= bytes;
            result.excess[called] += bytes;
        }
        if (called != meant)
            result.wrongFor[fmt::format(
                "{}: {}", toText(study.categories.of(i)), toText(study.categories.reasonOf(i)))]
                += bytes;
    }
    result.hasStacks = study.trace.stacks.nodeCount() > 1;
    result.trains = !labels.steps().empty()
        || std::ranges::none_of(study.phases.ranges(), runsForwardOfModel, &PhaseRange::phase);
    result.steps = labels.steps().size();
    std::size_t nth = 0;
    for (const Step& step : study.steps.steps) {
        if (!step.isCounted() || !step.isComplete || study.steps.source == StepSource::Whole)
            continue;
        ++result.foundSteps;
        if (nth < labels.steps().size()) {
            const RecordingLabels::TrueStep& meant = labels.steps()[nth++];
            result.endsAgree = result.endsAgree && meant.end <= step.end && step.end <= meant.latestEnd + 1;
        }
    }
    result.phase = labels.phaseAt(peak.event);
    result.foundPhase = toText(study.phases.at(peak.event));
    return result;
}

std::vector<std::string> labelledRecordings()
{
    constexpr std::string_view kEnding = ".labels.json.zst";
    std::vector<std::string> names;
    for (const std::string& file : test::sampleNames("rehearsed"))
        if (file.ends_with(kEnding))
            names.push_back(file.substr(10, file.size() - 10 - kEnding.size()));
    return names;
}

std::vector<Comparison> compareDevices(const std::string& name)
{
    const auto trace = openTrace(test::samplePath("rehearsed/" + name + ".pickle.zst"), {})->trace;
    std::vector<Comparison> all;
    for (DeviceIndex device = 0; device < trace->devices.size(); ++device) {
        const DeviceStudy study(*trace, device);
        if (study.about().kind == DeviceKind::Cuda && study.curve.peak().bytes > 0)
            all.push_back(compare(all.empty() ? name : name + ":" + std::to_string(all.size()),
                RecordingLabels(test::samplePath("rehearsed/" + name + ".labels.json.zst"), study), study));
    }
    return all;
}

/// The recordings that are not classified correctly, and the reasons.
const std::map<std::string, std::string>& knownFaults()
{
    static const std::map<std::string, std::string> faults = {
        {"compiled-cudagraphs", "steps that replay a CUDA graph allocate nothing: those are not counted"},
        {"continual", "dicts of copies of the weights, and of sums of squares in their sizes, look alike"},
        {"gradient-surgery", "gradients replaced by others that were put together from several tasks'"},
        {"half-with-masters", "gradients that are copied into master.grad look like state"},
        {"laplace", "the jacobian after training is in no phase"},
        {"neural-ode", "gradients that autograd.grad gives within a backward live shortly"},
        {"profiled-gpt2", "the profiler's last step() begins a range in which nothing is trained"},
        {"soft-actor-critic", "two rounds of the loop repeat as one: every second trains another optimizer"},
        {"tree-of-weights", "without p.grad and an optimizer, new weights and new state are made alike"},
    };
    return faults;
}

std::string mebibytes(Bytes bytes)
{
    return fmt::format("{:.1f}", static_cast<double>(bytes) / (1024 * 1024));
}

/// Returns a row of the table in samples/README.md.
std::string readmeRow(const Comparison& found)
{
    std::string row = fmt::format("| `{}` | {} |", found.name, mebibytes(found.peak));
    for (const auto group : kLabelled)
        row += " " + mebibytes(found.meant[group]) + " |";
    return row
        + fmt::format(" {:.1f} % | {:.1f} % | {} of {} | {} |", found.largestDifference(),
            found.percent(found.unknown), found.foundSteps, found.trains ? std::to_string(found.steps) : "–",
            found.foundPhase);
}

/// Returns the rules to look at.
std::string reasonsOfWrong(const Comparison& found)
{
    std::string text;
    for (const auto& [reason, bytes] : found.wrongFor)
        text += fmt::format("\n{:.1f} % are not {}", found.percent(bytes), reason);
    return text;
}

} // namespace

class LabelledRecording : public testing::TestWithParam<std::string>
{
};

TEST_P(LabelledRecording, IsCalledWhatItIs)
{
    if (knownFaults().contains(GetParam()))
        GTEST_SKIP() << knownFaults().at(GetParam());
    for (const Comparison& found : compareDevices(GetParam())) {
        EXPECT_TRUE(found.areBytesRight()) << readmeRow(found) << reasonsOfWrong(found);
        EXPECT_TRUE(found.isPhaseRight()) << found.phase << ", found " << found.foundPhase;
    }
}

TEST_P(LabelledRecording, HasTheStepsThatTheScriptMade)
{
    if (knownFaults().contains(GetParam()))
        GTEST_SKIP() << knownFaults().at(GetParam());
    for (const Comparison& found : compareDevices(GetParam()))
        EXPECT_TRUE(found.areStepsRight()) << found.foundSteps << " of " << found.steps;
}

TEST_P(LabelledRecording, StandsInTheReadmeOfTheSamples)
{
    const std::string readme = test::readWholeFile(test::samplePath("README.md"));
    for (const Comparison& found : compareDevices(GetParam())) {
        const std::string row = readmeRow(found);
        EXPECT_NE(readme.find(row), std::string::npos) << "the README lacks:\n" << row;
    }
}

TEST(LabelledRecordings, FaultsAreKnownOnlyWhereThereAreAny)
{
    for (const auto& [name, why] : knownFaults()) {
        const std::vector<Comparison> found = compareDevices(name);
        EXPECT_TRUE(std::ranges::any_of(found, [](const Comparison& device) {
            return !device.areBytesRight() || !device.isPhaseRight() || !device.areStepsRight();
        })) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rehearsed, LabelledRecording, testing::ValuesIn(labelledRecordings()), test::nameOfFile);

} // namespace highwater
