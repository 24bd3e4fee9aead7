#include "core/analysis/usage/pool_names.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/categories/allocation_filter.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

const std::string kRunOfPools = R"(
stack trees = /t/torch/_inductor/cudagraph_trees.py:100 record | /t/torch/cuda/graphs.py:50 capture | /w/train.py:3 step
stack graph = /w/model.py:5 forward | /t/torch/cuda/graphs.py:50 capture | /w/train.py:3 step
stack plain = /w/model.py:5 forward
alloc a 10 @plain
alloc b 10 @plain pool=0,1
alloc c 10 @trees pool=0,2
alloc d 10 @graph pool=1,0
alloc e 10 @plain pool=2,0
)";

struct RecordedPools
{
    std::string label(AllocationIndex i) const { return names.label(allocations.pool(i)); }
    std::int64_t matches(const std::string& text) const
    {
        return filterAllocations(allocations, CategoryTable(allocations.size()), *parseFilter(text))->count;
    }

    std::shared_ptr<const Trace> trace = test::traceFromText(kRunOfPools);
    AllocationTable allocations{*trace, 0};
    PoolNames names{allocations};
};

} // namespace

TEST(PoolNames, SayWhatThePoolIsForByStacksAndKeys)
{
    const RecordedPools run;
    EXPECT_EQ(run.label(1), "private pool (0, 1): MemPool");
    EXPECT_EQ(run.label(2), "private pool (0, 2): CUDA graph trees");
    EXPECT_EQ(run.label(3), "private pool (1, 0): CUDA graph");
    EXPECT_EQ(run.label(4), "private pool (2, 0): CUDA graph");
}

TEST(PoolNames, SayNothingOfTheDefaultPool)
{
    const RecordedPools run;
    EXPECT_EQ(run.label(0), run.trace->poolLabel(run.allocations.pool(0)));
    EXPECT_EQ(run.names.name(PoolId()), "");
}

TEST(PoolNames, AreWhatASearchFindsAllocationsBy)
{
    const RecordedPools run;
    EXPECT_EQ(run.matches("pool:trees"), 1);
    EXPECT_EQ(run.matches("pool:cuda"), 3);
    EXPECT_EQ(run.matches("pool:MEMPOOL forward"), 1);
    EXPECT_EQ(run.matches("pool:nccl"), 0);
    EXPECT_FALSE(parseFilter("pool:").has_value());
}

TEST(PoolNames, AreFoundInARecordingOfACudaGraph)
{
    const auto imported = loadFile(test::samplePath("rehearsed/cuda-graph.pickle.zst"), {});
    ASSERT_TRUE(imported.has_value());
    const AllocationTable allocations(*imported->trace, 0);
    const PoolNames names(allocations);
    std::size_t named = 0;
    for (std::size_t pool = 0; pool < imported->trace->pools.size(); ++pool)
        named += names.name(PoolId(pool)) == "CUDA graph" ? 1 : 0;
    EXPECT_GE(named, 1u);
}

TEST(AllocationFilter, FindsWhatTheProgramRecorded)
{
    const auto imported = loadFile(test::samplePath("rehearsed/labelled-modules.pickle.zst"), {});
    ASSERT_TRUE(imported.has_value());
    const AllocationTable allocations(*imported->trace, 0);
    EXPECT_GT(
        filterAllocations(allocations, CategoryTable(allocations.size()), *parseFilter("layers.1.mlp.0"))
            ->count,
        0);
    EXPECT_EQ(filterAllocations(allocations, CategoryTable(allocations.size()), *parseFilter("layers.9.mlp"))
                  ->count,
        0);
}

} // namespace highwater
