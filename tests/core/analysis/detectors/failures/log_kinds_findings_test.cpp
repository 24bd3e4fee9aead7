// Checks that everything a log reports has a finding: samples/logs/kinds.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/logs/log_failures.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

DetectorInput inputOfKind(const std::string& file)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath(file), {});
    EXPECT_TRUE(imported) << file;
    DetectorInput input;
    if (imported)
        input.auxiliaryFiles.push_back({file, imported->trace});
    return input;
}

const Finding* findingOfRule(const std::vector<Finding>& findings, std::string_view rule)
{
    const auto found = std::ranges::find(findings, rule, &Finding::rule);
    return found == findings.end() ? nullptr : &*found;
}

/// A finding that a log must have.
struct ToldFinding
{
    const char* file;
    const char* rule;
    Bytes bytes = -1; ///< −1 for any number
};

void PrintTo(const ToldFinding& told, std::ostream* out)
{
    *out << told.file;
}

const ToldFinding kFindings[] = {
    {"driver-oom-nccl.log", "driver-out-of-memory", 4'194'304},
    {"engine-no-cache-blocks.log", "engine-no-room"},
    {"nvml-assert.log", "unclear-failure"},
    {"shell-killed-only.log", "unclear-failure"},
    {"shm-bus-error.log", "host-out-of-memory"},
    {"cpu-allocator.log", "host-out-of-memory", 107'374'182'400},
    {"killed-and-kernel-log.log", "host-out-of-memory", 61'440'000'000},
    {"allocator-retries.log", "allocator-retries"},
    {"retries-in-the-summary.log", "allocator-retries", 15'728'640'000},
    {"ooms-thrown.log", "allocator-retries"},
    {"refused-at-once.log", "process-cap", 20'970'177'823},
    {"rejections-counted.jsonl", "allocator-retries"},
    {"setting-not-supported.log", "memory-warning"},
    {"xla-hbm.log", "fragmentation", 45 * kMiB},
    {"xla-hbm-used.log", "too-big"},
    {"xla-request.log", "out-of-memory", 2'684'354'560},
    {"empty-sentence.log", "corrupt-request"},
    {"request-above-card.log", "above-capacity", 48'000 * kGiB},
    {"request-a-little-above-card.log", "above-capacity", 26 * kGiB},
    {"request-below-card.log", "too-big"},
    {"xpu-4gb-limit.log", "allocation-limit"},
    {"mps-invalid-buffer-size.log", "allocation-limit", 25 * kGiB},
    {"mps-others-hold-it.log", "outside-pytorch"},
    {"windows-shared-memory.log", "not-on-device", 11 * kGiB},
    {"sleeping-engine.log", "not-on-device", 27 * kGiB},
    {"windows-path.log", "not-on-device", 14 * kGiB},
    {"verdict-without-finding.log", "outside-pytorch", 11 * kGiB},
    {"verdict-without-capacity.log", "out-of-memory", kGiB},
};

class FindingOfALog : public testing::TestWithParam<ToldFinding>
{
};

} // namespace

TEST_P(FindingOfALog, IsThereWithItsBytesAndWhatToDo)
{
    const std::vector<Finding> findings
        = findFindings(inputOfKind(std::string("logs/kinds/") + GetParam().file));
    const Finding* const finding = findingOfRule(findings, GetParam().rule);
    ASSERT_TRUE(finding);
    if (GetParam().bytes >= 0) {
        EXPECT_EQ(finding->bytes, GetParam().bytes);
    }
    EXPECT_FALSE(finding->remedy.action.empty());
    EXPECT_FALSE(finding->evidence.empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, FindingOfALog, testing::ValuesIn(kFindings));

TEST(FindingsOfLogs, AreThereWhereverSomethingCounts)
{
    std::size_t told = 0;
    for (const std::string& name : test::sampleNames("logs/kinds")) {
        const DetectorInput input = inputOfKind(name);
        ASSERT_FALSE(input.auxiliaryFiles.empty());
        if (input.auxiliaryFiles[0].trace->logEvents.empty())
            continue;
        ++told;
        EXPECT_FALSE(findFindings(input).empty()) << name;
    }
    EXPECT_GT(told, 60u);
}

TEST(FindingsOfLogs, HaveTitlesOfAtMostTwentyOneWords)
{
    for (const char* folder : {"logs", "logs/kinds"})
        for (const std::string& name : test::sampleNames(folder))
            for (const Finding& finding : findFindings(inputOfKind(name)))
                EXPECT_LE(std::ranges::count(finding.title, ' '), 20) << name << ": " << finding.title;
}

TEST(FindingsOfLogs, SayThatAnExpandableSegmentCouldNotBeMapped)
{
    const Result<ImportedTrace> log = test::importBytes(
        "RuntimeError: !handles_.at(i) INTERNAL ASSERT FAILED at \"c10/cuda/CUDACachingAllocator.cpp\":487, "
        "please report a bug to PyTorch.\n");
    ASSERT_TRUE(log);
    DetectorInput input;
    input.auxiliaryFiles.push_back({"run.log", log->trace});
    const std::vector<Finding> findings = findFindings(input);
    const Finding* const finding = findingOfRule(findings, "unclear-failure");
    ASSERT_TRUE(finding);
    EXPECT_NE(finding->title.find("apping an expandable segment failed"), std::string::npos)
        << finding->title;
}

TEST(FindingsOfLogs, SayHowFullAGpuWasWhenAMappingFailed)
{
    const Result<ImportedTrace> log = test::importBytes(
        "[W519 20:17:24.425415134 CUDACachingAllocator.cpp:495] expandable_segments: memory mapping failed "
        "with "
        "OOM on device 3 while trying to map 20971520 bytes (free: 1048576, total: 34359738368)\n");
    ASSERT_TRUE(log);
    DetectorInput input;
    input.auxiliaryFiles.push_back({"run.log", log->trace});
    const std::vector<Finding> findings = findFindings(input);
    const Finding* const finding = findingOfRule(findings, "memory-warning");
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "GPU 3 was full: 20 MiB could not be mapped, 1 MiB of 32 GiB free");
    EXPECT_TRUE(test::hasParts(finding->evidence.front().sentence, {"(free:", "…"}));
    EXPECT_TRUE(test::hasParts(finding->remedy.action, {"the next request may fail"}));
}

TEST(FindingsOfLogs, AdviseNothingOnAWarningBeforeAFailure)
{
    DetectorInput input;
    const Result<ImportedTrace> log = test::importBytes(
        "[W1 CUDACachingAllocator.cpp:495] expandable_segments: memory mapping failed with OOM on device 0 "
        "while trying to map 20971520 bytes\n"
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.45 GiB. GPU 0 has a total capacity "
        "of 178.35 GiB of which 599.75 MiB is free.\n");
    ASSERT_TRUE(log);
    input.auxiliaryFiles.push_back({"run.log", log->trace});
    const std::vector<Finding> findings = findFindings(input);
    const Finding* const finding = findingOfRule(findings, "memory-warning");
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->remedy.action, "") << "the next request has failed";
}

TEST(FindingsOfLogs, SaveOnlyWhatOthersHold)
{
    const auto others = findFindings(inputOfKind("logs/kinds/saves-more-than-the-process-holds.log"));
    const Finding* const finding = findingOfRule(others, "outside-pytorch");
    ASSERT_TRUE(finding);
    EXPECT_NEAR(static_cast<double>(finding->remedy.savedBytes), 60.0 * static_cast<double>(kGiB), 2e7);
    const auto own = findFindings(inputOfKind("logs/kinds/own-context-only.log"));
    ASSERT_TRUE(findingOfRule(own, "outside-pytorch"));
    EXPECT_EQ(findingOfRule(own, "outside-pytorch")->kind, FindingKind::Fact);
    EXPECT_EQ(findingOfRule(own, "outside-pytorch")->remedy.savedBytes, 0);
}

TEST(FindingsOfLogs, CountARequestBeyondTheLimitInNoFinding)
{
    DetectorInput input;
    for (const char* name : {"first.log", "second.log"}) {
        std::string text;
        for (int mebibytes = 1000; mebibytes < 1070; ++mebibytes)
            text += "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate "
                + std::to_string(mebibytes)
                + ".00 MiB. GPU 0 has a total capacity of 79.19 GiB of which 10.00 MiB is free.\n";
        const Result<ImportedTrace> log = test::importBytes(std::move(text));
        ASSERT_TRUE(log);
        input.auxiliaryFiles.push_back({name, log->trace});
    }
    const std::vector<Finding> findings = findFindings(input);
    EXPECT_LE(findings.size(), 64u);
    EXPECT_GT(findings.size(), 60u);
}

TEST(FindingsOfLogs, AdviceFitsTheMaker)
{
    for (const char* file : {"npu-number-dropped.log", "mlu-number.log", "hip-other-process.log"})
        for (const Finding& finding : findFindings(inputOfKind(std::string("logs/kinds/") + file))) {
            EXPECT_EQ(finding.remedy.action.find("nvidia"), std::string::npos) << file;
            EXPECT_EQ(finding.wouldDisprove.find("nvidia"), std::string::npos) << file;
        }
}

} // namespace highwater
