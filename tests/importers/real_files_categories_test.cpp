// Compares categories in other people's runs with figures of their models, if the recordings are available
// next to the project.
#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct RealCategories
{
    const char* name;
    Bytes parameters;
    std::int64_t parameterBlocks;
    Bytes optimizerState;
    Bytes gradients;
    Bytes workspaces;
    Bytes unknown;
};

class RealFileCategories : public testing::TestWithParam<RealCategories>
{
};

} // namespace

TEST_P(RealFileCategories, AtThePeakAreThoseOfTheModel)
{
    const RealCategories& expected = GetParam();
    const std::optional<std::string> path
        = test::realFilePath("snapshots/" + std::string(expected.name) + ".pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const Result<ImportedTrace> imported = openTrace(*path, {});
    ASSERT_TRUE(imported);
    const DeviceStudy study(*imported->trace, 0);
    const std::int64_t peak = study.curve.peak().event;
    const CategoryBytes bytes = categoriesAt(study.allocations, study.categories, {peak}).front();
    const auto bytesOf = [&](Category category) { return bytes[static_cast<std::size_t>(category)]; };
    EXPECT_EQ(bytesOf(Category::Parameter), expected.parameters);
    EXPECT_EQ(bytesOf(Category::OptimizerState), expected.optimizerState);
    EXPECT_EQ(bytesOf(Category::Gradient), expected.gradients);
    EXPECT_EQ(bytesOf(Category::Workspace), expected.workspaces);
    EXPECT_EQ(bytesOf(Category::Unknown) + bytesOf(Category::BeforeRecording), expected.unknown);
    std::int64_t parameters = 0;
    for (const AllocationIndex i : study.allocations.liveAt(peak))
        parameters += study.categories.of(i) == Category::Parameter ? 1 : 0;
    EXPECT_EQ(parameters, expected.parameterBlocks);
}

INSTANTIATE_TEST_SUITE_P(Files, RealFileCategories,
    testing::Values(RealCategories{"gpt-medium-ctx1024-training", 1'692'733'440, 219, 3'385'466'880,
                        95'494'144, 17'039'360, 655'360},
        RealCategories{
            "gpt-medium-ctx256-training", 1'692'733'440, 219, 3'385'466'880, 0, 17'039'360, 163'840},
        RealCategories{
            "transformer-fullstep", 3'877'647'360, 327, 7'755'294'720, 3'877'647'360, 17'039'360, 40'968'196},
        RealCategories{"transformer-forward-mixed", 7'992'940'800, 435, 15'985'881'600, 7'992'940'800,
            17'039'360, 20'488'192},
        RealCategories{"windows-paths", 514'501'632, 111, 0, 514'501'632, 17'039'360, 196'612},
        RealCategories{"gpt-medium-ctx128-inference", 1'692'790'784, 222, 0, 0, 8'519'680, 0}),
    [](const testing::TestParamInfo<RealCategories>& row) { return test::testNameOf(row.param.name); });

} // namespace highwater
