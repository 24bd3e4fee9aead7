#include "core/analysis/modules/module_tree.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/device/device_study.h"
#include "core/table/module_tables.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// The modules of all allocations of a sample.
struct SampleModules
{
    explicit SampleModules(const std::string& sample)
        : trace(loadFile(test::samplePath(sample), {})->trace)
        , study(*trace, 0)
        , modules(*trace, study.allocations, study.sites)
        , rows(moduleTree(modules, study.allocations, study.categories, all()))
    {
    }
    std::vector<AllocationIndex> all() const
    {
        std::vector<AllocationIndex> indices(study.allocations.size());
        std::iota(indices.begin(), indices.end(), AllocationIndex{0});
        return indices;
    }
    /// True if the title of any row of like modules begins so.
    bool hasLikeModules(const std::string& title) const
    {
        return std::ranges::any_of(rows, [&](const ModuleRow& row) {
            return row.likeCount > 1 && titleOf(modules, row).starts_with(title);
        });
    }

    std::shared_ptr<const Trace> trace;
    DeviceStudy study;
    ModuleTable modules;
    std::vector<ModuleRow> rows;
};

class LikeModules : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(LikeModules, AreOneRowThatSumsThemUp)
{
    const SampleModules found(GetParam());
    bool isAny = false;
    for (std::size_t row = 0; row < found.rows.size(); ++row) {
        if (found.rows[row].likeCount == 1)
            continue;
        isAny = true;
        Bytes bytes = 0;
        std::int32_t count = 0;
        const std::size_t end = endOfRow(found.rows, row);
        for (std::size_t like = row + 1; like < end; like = endOfRow(found.rows, like)) {
            EXPECT_EQ(found.rows[like].depth, found.rows[row].depth + 1);
            bytes += found.rows[like].all.bytes;
            ++count;
        }
        EXPECT_EQ(bytes, found.rows[row].all.bytes);
        EXPECT_EQ(count, found.rows[row].likeCount);
        EXPECT_GE(count, static_cast<std::int32_t>(kFewestLike));
    }
    EXPECT_TRUE(isAny);
}

INSTANTIATE_TEST_SUITE_P(ModuleTree, LikeModules,
    testing::Values("pytorch-snapshot/r1-grpo-before.pickle.zst", "rehearsed/modules-gpt.pickle.zst",
        "rehearsed/labelled-modules.pickle.zst"));

TEST(ModulesCaption, SaysOfTheFileThatNoModuleIsKnownOnlyIfItHasNone)
{
    const SampleModules found("rehearsed/modules-gpt.pickle.zst");
    EXPECT_EQ(modulesCaption(found.modules, {}), "None of these allocations was made in a known module");
    const SampleModules without("pytorch-snapshot/tiny-hand-checked.pickle.zst");
    EXPECT_TRUE(modulesCaption(without.modules, without.rows).starts_with("No module is known"));
}

TEST(ModuleTree, NamesLayersAsTheLabelsDo)
{
    const SampleModules found("rehearsed/labelled-modules.pickle.zst");
    EXPECT_TRUE(found.hasLikeModules("layers.0–2 (3 modules)"));
}

TEST(ModuleTree, NamesLikeCallsByTheirForwardFunction)
{
    const SampleModules found("pytorch-snapshot/r1-grpo-before.pickle.zst");
    EXPECT_TRUE(found.hasLikeModules("12 × forward (model.py:"));
}

TEST(ModuleTree, KeepsTheLargestOfLikeModulesWhenItIsCut)
{
    const SampleModules found("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const std::vector<ModuleRow> brief = largestRows(found.rows, 1000);
    for (std::size_t row = 0; row < brief.size(); ++row)
        if (brief[row].likeCount > 1) {
            EXPECT_EQ(endOfRow(brief, row + 1), endOfRow(brief, row)) << "one module below the sum";
        }
    EXPECT_EQ(largestRows(found.rows, 0).size(), found.rows.size());
}

TEST(ModuleTreeTable, SaysThatAFileHasNoModuleNames)
{
    const SampleModules frames("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const Table byFunctions = moduleTreeTable(frames.modules, frames.rows);
    EXPECT_EQ(byFunctions.columns.front().title, "Forward function");
    EXPECT_NE(byFunctions.caption.find("holds no module names"), std::string::npos) << byFunctions.caption;
    EXPECT_NE(byFunctions.caption.find(" Most activations ("), std::string::npos) << byFunctions.caption;
    EXPECT_NE(
        byFunctions.caption.find(" All parameters (474.7 MiB) are outside of modules."), std::string::npos)
        << byFunctions.caption;
    const SampleModules labels("rehearsed/labelled-modules.pickle.zst");
    EXPECT_EQ(moduleTreeTable(labels.modules, labels.rows).columns.front().title, "Module");
}

TEST(ModuleTreeTable, BeginsWithBytesAndShares)
{
    const SampleModules found("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const Table table = moduleTreeTable(found.modules, found.rows);
    EXPECT_EQ(table.columns[1].key, "bytes");
    EXPECT_EQ(table.columns[2].key, "share_per_mille");
    EXPECT_EQ(cellText(table.total[2]), "100%");
    EXPECT_EQ(table.columns.back().key, "source");
}

TEST(ModuleTreeTable, HasNoEmptyColumn)
{
    for (const char* sample :
        {"rehearsed/labelled-modules.pickle.zst", "kineto/tiny-addresses.pt.trace.json"}) {
        const SampleModules found(sample);
        const Table table = moduleTreeTable(found.modules, found.rows);
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            EXPECT_TRUE(std::ranges::any_of(table.rows, [column](const TableRow& row) {
                return !row[column].isEmpty();
            })) << table.columns[column].key;
    }
}

} // namespace highwater
