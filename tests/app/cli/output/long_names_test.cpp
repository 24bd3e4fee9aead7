// Checks that output stays short although a file can repeat a name of 1 MB in every stack.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using nlohmann::json;

constexpr std::size_t kNameBytes = 300'000;

/// Returns a snapshot with twenty allocations by a function whose name and file have `kNameBytes` bytes each.
std::string snapshotWithLongNames()
{
    const json frames = {{{"name", std::string(kNameBytes, 'N')},
                             {"filename", "/" + std::string(kNameBytes, 'F') + "/model.py"}, {"line", 3}},
        {{"name", "main"}, {"filename", "/train/run.py"}, {"line", 9}}};
    json segments = json::array();
    json events = json::array();
    for (std::int64_t i = 0; i < 20; ++i) {
        const std::int64_t address = (1 << 24) + i * (1 << 21);
        events.push_back({{"action", "alloc"}, {"addr", address}, {"size", 1 << 20}, {"stream", 0},
            {"time_us", 1 + i}, {"frames", frames}});
        segments.push_back({{"device", 0}, {"address", address}, {"total_size", 1 << 21},
            {"allocated_size", 1 << 20}, {"active_size", 1 << 20}, {"stream", 0}, {"segment_type", "small"},
            {"segment_pool_id", {0, 0}}, {"is_expandable", false}, {"frames", json::array()},
            {"blocks",
                {{{"address", address}, {"size", 1 << 20}, {"requested_size", 1 << 20},
                     {"state", "active_allocated"}, {"frames", frames}},
                    {{"address", address + (1 << 20)}, {"size", 1 << 20}, {"requested_size", 0},
                        {"state", "inactive"}, {"frames", json::array()}}}}});
    }
    return json{{"segments", segments}, {"device_traces", {events}}}.dump();
}

class LongNames : public testing::TestWithParam<std::vector<std::string>>
{
};

} // namespace

TEST_P(LongNames, TakeFewBytesOfWhatIsPrinted)
{
    const test::TemporaryFolder folder;
    std::vector<std::string> arguments = GetParam();
    arguments.insert(arguments.begin() + 1, folder.write("long.json", snapshotWithLongNames()));
    const test::ProgramRun run = test::runHighwater(arguments);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_FALSE(run.out.empty());
    EXPECT_LT(run.out.size(), kNameBytes);
}

INSTANTIATE_TEST_SUITE_P(Of, LongNames,
    testing::Values(std::vector<std::string>{"peaks"}, std::vector<std::string>{"peaks", "--json"},
        std::vector<std::string>{"peaks", "--group", "stack"}, std::vector<std::string>{"findings", "--json"},
        std::vector<std::string>{"segments"}, std::vector<std::string>{"segments", "--json"},
        std::vector<std::string>{"report", "--json", "-o", "-"},
        std::vector<std::string>{"figure", "--kind", "composition", "-o", "-"},
        std::vector<std::string>{"figure", "--kind", "segments", "-o", "-"}));

TEST(LongNamesOnDemand, AreWholeInTheExportOfAllocations)
{
    const test::TemporaryFolder folder;
    const test::ProgramRun run = test::runHighwater(
        {"export", folder.write("long.json", snapshotWithLongNames()), "--what", "allocations", "-o", "-"});
    EXPECT_NE(run.out.find(std::string(kNameBytes, 'N')), std::string::npos) << run.err;
}

} // namespace highwater
