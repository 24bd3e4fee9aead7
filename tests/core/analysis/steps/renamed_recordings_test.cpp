#include <set>

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "core/base/text_parts.h"
#include "importers/registry/open_trace.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

/// Checks that a run's results do not depend on the names of its functions and files.
namespace highwater {

namespace {

/// True for names that PyTorch requires: a module's `forward`, an optimizer's `step`.
bool isGiven(const std::string& function)
{
    static const std::set<std::string> given = {"forward", "backward", "step", "zero_grad", "<module>"};
    return given.contains(function) || function.starts_with("__") || function.starts_with("<");
}

/// Returns the names that the user chose for functions and for files (without folder and ending).
std::set<std::string> chosenNames(const Trace& trace)
{
    std::set<std::string> names;
    for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
        const Frame& frame = trace.stacks.frame(FrameId(i));
        const std::string file(trace.text(frame.file));
        if (frame.kind != FrameKind::Python || containsAny(file, {"-packages/", "/lib/python"}))
            continue;
        names.insert(file);
        if (const std::string function(trace.text(frame.function)); !isGiven(function))
            names.insert(function);
    }
    return names;
}

/// Returns a meaningless name of the same length; in a path only the letters of the file name change.
std::string meaningless(const std::string& name)
{
    std::string other = name;
    const std::size_t ending = std::min(name.rfind(".py"), name.size());
    for (std::size_t i = name.rfind('/') + 1; i < ending; ++i)
        other[i] = static_cast<char>('a' + (i * 7 + static_cast<unsigned char>(name[i]) * 3) % 26);
    return other;
}

/// Returns the pickle with each of the names replaced where it is a complete string.
std::string renamed(std::string pickle, const std::set<std::string>& names)
{
    for (const std::string& name : names) {
        const auto length = static_cast<char>(name.size());
        const std::string wide{'X', length, 0, 0, 0};
        for (const std::string& head : {wide + name, std::string{'\x8c', length} + name})
            for (std::size_t at = pickle.find(head); at != pickle.npos; at = pickle.find(head, at + 1))
                pickle.replace(
                    at, head.size(), head.substr(0, head.size() - name.size()) + meaningless(name));
    }
    return pickle;
}

std::vector<std::pair<std::int64_t, bool>> boundsOf(const StepTable& steps)
{
    std::vector<std::pair<std::int64_t, bool>> bounds;
    for (const Step& step : steps.steps)
        bounds.emplace_back(step.begin, step.isComplete);
    return bounds;
}

} // namespace

class RenamedRecording : public testing::TestWithParam<std::string>
{
};

TEST_P(RenamedRecording, HasTheSameStepsAndTheSameCategoriesButForHints)
{
    const auto path = test::realFilePath(GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    const std::shared_ptr<const Trace> trace = openTrace(*path, {})->trace;
    const std::set<std::string> names = chosenNames(*trace);
    ASSERT_FALSE(names.empty());
    const Result<ImportedTrace> other = test::importBytes(renamed(test::readDecompressed(*path), names));
    ASSERT_TRUE(other);
    ASSERT_NE(chosenNames(*other->trace), names);
    const DeviceStudy before(*trace, 0);
    const DeviceStudy after(*other->trace, 0);
    EXPECT_EQ(boundsOf(after.steps), boundsOf(before.steps));
    EXPECT_EQ(after.steps.source, before.steps.source);
    ASSERT_EQ(after.categories.size(), before.categories.size());
    std::size_t otherwise = 0;
    Bytes bytes = 0;
    for (AllocationIndex i = 0; i < after.categories.size(); ++i)
        if (after.categories.of(i) != before.categories.of(i) && after.categories.gradeOf(i) != Grade::C) {
            ++otherwise;
            bytes = std::max(bytes, after.allocations.bytes(i));
        }
    EXPECT_EQ(otherwise, 0u) << bytes << " bytes the largest";
}

INSTANTIATE_TEST_SUITE_P(Recordings, RenamedRecording,
    testing::Values("rehearsed/u3_grpo_short.pickle.zst", "rehearsed/u2_grpo_renamed.pickle.zst",
        "rehearsed/t_clean.pickle.zst", "rehearsed/g_eval_grad.pickle.zst",
        "rehearsed/a2_graph_list.pickle.zst", "rehearsed/s_manual_sgd.pickle.zst",
        "rehearsed/o_retain.pickle.zst", "rehearsed/c_copies.pickle.zst",
        "rehearsed/k_two_streams.pickle.zst", "rehearsed/ranks/ddp_rank0.pickle.zst"),
    [](const auto& recording) { return test::testNameOf(recording.param); });

} // namespace highwater
