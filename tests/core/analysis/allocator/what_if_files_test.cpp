#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/script_player.h"
#include "tests/support/allocator_invariants.h"
#include "tests/support/replayed_run.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using test::ReplayedRun;

/// Replays every device that has events with the recorded settings. Expects the recorded curve after every
/// call, every block at its recorded address, and a consistent allocator throughout.
void expectExactReplay(const std::string& path)
{
    const auto loaded = loadFile(path, {});
    ASSERT_TRUE(loaded);
    const std::shared_ptr<const Trace> trace = loaded->trace;
    int replayed = 0;
    for (DeviceIndex device = 0; device < trace->devices.size(); ++device) {
        const ReplayedRun run(trace, device);
        if (!run.script)
            continue;
        const ReplayFidelity fidelity = run.fidelity();
        EXPECT_EQ(fidelity.exact, fidelity.compared) << sentenceOf(fidelity);
        EXPECT_EQ(fidelity.placedAsRecorded, fidelity.allocations) << sentenceOf(fidelity);
        EXPECT_EQ(fidelity.newFailures, 0);
        EXPECT_TRUE(fidelity.failuresRepeat);
        ++replayed;
    }
    EXPECT_GT(replayed, 0);
}

class ReplayedSample : public testing::TestWithParam<std::string>
{
};

class ReplayedRealFile : public testing::TestWithParam<const char*>
{
};

std::vector<std::string> samples()
{
    std::vector<std::string> names = test::sampleNames("pytorch-snapshot");
    for (const std::string& name : test::sampleNames("ranks"))
        names.push_back(name);
    names.insert(names.end(),
        {"failures/full.pickle.zst", "failures/refused.pickle.zst", "failures/segment-reserve.pickle.zst"});
    return names;
}

std::string realNameOf(const testing::TestParamInfo<const char*>& info)
{
    return test::testNameOf(info.param);
}

} // namespace

TEST_P(ReplayedSample, ReservesWhatWasRecordedAfterEveryCall)
{
    expectExactReplay(test::samplePath(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, ReplayedSample, testing::ValuesIn(samples()), test::nameOfFile);

TEST_P(ReplayedRealFile, ReservesWhatWasRecordedAfterEveryCall)
{
    const auto path = test::realFilePath(std::string("snapshots/") + GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    expectExactReplay(*path);
}

INSTANTIATE_TEST_SUITE_P(All, ReplayedRealFile,
    testing::Values("from-zero-small.pickle", "small-model-with-segments.pickle",
        "gpt-medium-ctx1024-training.pickle", "gpt-medium-ctx256-training.pickle",
        "gpt-medium-ctx128-inference.pickle", "transformer-fullstep.pickle",
        "transformer-forward-fp32.pickle", "transformer-forward-mixed.pickle", "windows-paths.pickle"),
    realNameOf);

class ReplayedRehearsal : public testing::TestWithParam<const char*>
{
};

/// These files come from PyTorch's own allocator, or have options that only the text of the settings
/// contains.
TEST_P(ReplayedRehearsal, ReservesWhatWasRecordedAfterEveryCall)
{
    const auto path = test::realFilePath(GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    expectExactReplay(*path);
}

INSTANTIATE_TEST_SUITE_P(All, ReplayedRehearsal,
    testing::Values("repro/whatif-large_segment_40.pickle", "repro/whatif-fraction-in-conf.pickle",
        "repro/whatif-private-pool.pickle", "rehearsed/l_graphs.pickle.zst",
        "rehearsed/e_fragment.pickle.zst", "rehearsed/k_two_streams.pickle.zst",
        "judged/oom-expandable-4-devices.pickle"),
    realNameOf);

TEST(ReplayedFiles, AreSoundAtEveryStepOfARealRun)
{
    const auto path = test::realFilePath("snapshots/small-model-with-segments.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const ReplayedRun run(loadFile(*path, {})->trace);
    const WhatIf asRecorded{run.script->settings, {}};
    ScriptPlayer player(*run.script, asRecorded);
    for (std::size_t i = 0; i < run.script->steps.size(); ++i) {
        player.play(run.script->steps[i]);
        if (i % 16 == 0)
            test::expectSound(player.allocator());
    }
    test::expectSound(player.allocator());
    EXPECT_EQ(player.allocator().reservedBytes(), run.curve.reservedAt(run.curve.eventCount() - 1));
}

TEST(ReplayedFiles, AreNotTrustedWhereTheirSumsContradict)
{
    const auto path = test::realFilePath("snapshots/synthetic-streams-annotations.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const SettingsStudy study = settingsAdvice(*ReplayedRun(loadFile(*path, {})->trace).script);
    EXPECT_FALSE(study.fidelity.isTrusted());
    EXPECT_TRUE(study.tried.empty());
    EXPECT_TRUE(study.advice.empty());
}

} // namespace highwater
