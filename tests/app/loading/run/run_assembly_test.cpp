#include "app/loading/run/run_assembly.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "app/loading/run/run_inputs.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/analysis/ranks/rank_figures.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

RunSource source(const std::string& name)
{
    const std::string path = test::samplePath(name);
    RunSource source;
    source.file.path = path;
    source.file.trace = loadFile(path, {})->trace;
    if (recordsAllocations(*source.file.trace))
        source.rank = std::make_shared<const RankFile>(
            rankFile(runMember(path, *source.file.trace), *source.file.trace, false));
    return source;
}

std::vector<std::string> rolesOf(const std::vector<RunSource>& files, const std::string& role)
{
    std::vector<std::string> roles;
    for (const ReportSource& each : reportSources(files, role))
        roles.push_back(each.role);
    return roles;
}

const char* const kFlanSample = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";
const char* const kFlanLog = "logs/r5-flan-t5-xl.log";

} // namespace

TEST(RunParts, PutsRanksInOrderWhicheverIsShown)
{
    const RunParts parts
        = partsOf({source("ranks/rank2_snapshot.pickle.zst"), source("ranks/rank0_snapshot.pickle.zst")});
    EXPECT_EQ(parts.name, "rank2_snapshot.pickle.zst");
    ASSERT_EQ(parts.ranks.size(), 2u);
    EXPECT_EQ(parts.ranks[0]->member.rank, 0);
    EXPECT_TRUE(parts.auxiliaryFiles.empty());
}

TEST(RunParts, HasNoRanksOfASingleFile)
{
    const RunParts parts = partsOf({source(kFlanSample), source(kFlanLog)});
    EXPECT_TRUE(parts.ranks.empty());
    ASSERT_EQ(parts.auxiliaryFiles.size(), 1u);
    EXPECT_EQ(parts.auxiliaryFiles[0].name, "r5-flan-t5-xl.log");
}

TEST(RunParts, NameTheRolesOfFiles)
{
    const std::vector<RunSource> ranks{source("ranks/rank0_snapshot.pickle.zst"),
        source("ranks/rank1_snapshot.pickle.zst"), source(kFlanLog)};
    EXPECT_EQ(rolesOf(ranks, ""), (std::vector<std::string>{"rank 0", "rank 1", "with the run"}));
    EXPECT_EQ(rolesOf(ranks, "after"),
        (std::vector<std::string>{"after, rank 0", "rank 1 of the run after", "with the run after"}));
    EXPECT_EQ(rolesOf({source(kFlanSample)}, "before"), std::vector<std::string>{"before"});
}

TEST(RunParts, LeaveASharedSettingToWhatTheFileRecords)
{
    RunParts parts;
    auto trace = std::make_shared<Trace>();
    trace->metadata.configuration.push_back({"batch", "4", "log", 1});
    parts.trace = trace;
    RunDescription description;
    description.settings = {{"batch", "8", "json", 0}, {"seq_len", "512", "json", 0}};
    addDescription(parts, description, true);
    ASSERT_EQ(parts.settings.size(), 1u);
    EXPECT_EQ(parts.settings[0].name, "seq_len");
}

TEST(RunParts, KeepTheCapacityThatTheUserChose)
{
    RunParts parts;
    parts.trace = std::make_shared<Trace>();
    parts.capacity = DeviceCapacity{24 * kGiB, CapacitySource::Chosen, "", -1};
    RunDescription description;
    description.capacity = DeviceCapacity{80 * kGiB, CapacitySource::Chosen, "H100", -1};
    addDescription(parts, description);
    EXPECT_EQ(parts.capacity->bytes, 24 * kGiB);
}

TEST(RunParts, OfAFileRefuseADeviceThatItHasNot)
{
    const auto file = loadFile(test::samplePath(kFlanSample), {});
    const auto parts = partsOf("run", *file, {"cuda:7", std::nullopt, {}, {}});
    ASSERT_FALSE(parts);
    EXPECT_EQ(parts.error().code, ErrorCode::BadRequest);
}

} // namespace highwater
