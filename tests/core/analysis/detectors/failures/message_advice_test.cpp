#include <fmt/format.h>

#include "tests/core/analysis/detectors/failures/log_case.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

/// A message about a nearly full GPU, with this much in other processes and free in PyTorch's cache.
std::string nearlyFull(const std::string& otherProcess, const std::string& cached)
{
    return fmt::format(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 680.00 MiB. GPU 0 has a total "
        "capacity of 79.19 GiB of which 120.00 MiB is free. {}Including non-PyTorch memory, this "
        "process has 77.56 GiB memory in use. Of the allocated memory 75.00 GiB is allocated by "
        "PyTorch, and {} is reserved by PyTorch but unallocated. If reserved but unallocated memory "
        "is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n",
        otherProcess, cached);
}

/// The only finding about a failure in a log.
Finding failureIn(const std::string& text)
{
    const auto found = findOutOfMemory(LogCase(text).input);
    return found.size() == 1 ? found[0] : Finding();
}

constexpr const char* kProcess = "Process 4242 has 1.50 GiB memory in use. ";

} // namespace

TEST(OutOfMemory, NamesTheProcessWithoutWhichTheRequestFits)
{
    EXPECT_EQ(failureIn(nearlyFull(kProcess, "1.25 GiB")).title,
        "Out of memory on GPU 0: 680 MiB requested; without process 4242 it would fit");
}

TEST(OutOfMemory, HasWhatWasFreeAsItsCause)
{
    const Finding found = failureIn(nearlyFull("", "1.25 GiB"));
    EXPECT_EQ(found.title, "Out of memory on GPU 0: 680 MiB requested, but it fits no free block");
    const Evidence& cause = found.evidence.at(1);
    EXPECT_TRUE(cause.isCause);
    EXPECT_EQ(cause.sentence,
        "The GPU had 120 MiB of 79.19 GiB free, and PyTorch's cache 1.25 GiB, but in no block that fits");
}

TEST(OutOfMemory, CallsAGpuFullWhereNothingHasRoom)
{
    EXPECT_TRUE(test::hasParts(failureIn(nearlyFull("", "310.00 MiB")).title, {"on a full GPU"}));
}

TEST(OutOfMemory, AdvisesToEndTheProcessThatHoldsMoreThanTheCacheHasFree)
{
    const Finding found = failureIn(nearlyFull(kProcess, "1.25 GiB"));
    EXPECT_TRUE(test::hasParts(
        found.remedy.action, {"Find out what process 4242 is; if left over, end it: the request then fits"}));
    EXPECT_EQ(found.remedy.savedBytes, 3 * kGiB / 2);
}

TEST(OutOfMemory, AdvisesTheSettingOfTheMessageWhereTheCacheHasMoreFree)
{
    const Finding found = failureIn(nearlyFull(kProcess, "2.25 GiB"));
    EXPECT_TRUE(
        test::hasParts(found.remedy.action, {"Set PYTORCH_ALLOC_CONF=expandable_segments:True", "2.25 GiB"}));
}

TEST(OutOfMemory, AdvisesNoExpandableSegmentsToARunThatHasThem)
{
    const Finding found
        = failureIn("[W519 20:17:24 CUDACachingAllocator.cpp:495] expandable_segments: memory mapping "
                    "failed with OOM on device 0 while trying to map 20971520 bytes\n"
            + nearlyFull(kProcess, "2.25 GiB"));
    EXPECT_EQ(found.remedy.action.find("expandable_segments"), std::string::npos) << found.remedy.action;
}

TEST(OutOfMemory, AdvisesNoExpandableSegmentsToOlderReleases)
{
    const Finding found = failureIn(
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 23.69 GiB "
        "total "
        "capacity; 14.20 GiB already allocated; 201.69 MiB free; 22.10 GiB reserved in total by PyTorch) If "
        "reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See "
        "documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF\n");
    EXPECT_TRUE(test::hasParts(found.remedy.action, {"Set max_split_size_mb in PYTORCH_CUDA_ALLOC_CONF"}));
}

TEST(OutOfMemory, EndsTheProcessesOfAllRanks)
{
    std::string other = "[rank1]: " + nearlyFull("Process 77 has 1.50 GiB memory in use. ", "1.25 GiB");
    other.replace(other.find("GPU 0"), 5, "GPU 1");
    const Finding found = failureIn("[rank0]: " + nearlyFull(kProcess, "1.25 GiB") + other);
    EXPECT_TRUE(test::hasParts(found.remedy.action, {"77, 4242"}));
}

TEST(OutOfMemory, ExplainsTheKillsAndWaitsAfterIt)
{
    const LogCase log(std::string("[rank1]: ") + kTooBig
        + "[rank0]:[E ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout\n"
          "failed (exitcode: -9) local_rank: 0 (pid: 900) of binary: /usr/bin/python3\n");
    EXPECT_TRUE(findOtherFailuresInLog(log.input).empty());
    const auto found = findOutOfMemory(log.input);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_GE(found[0].evidence.size(), 3u);
    EXPECT_TRUE(test::hasParts(found[0].evidence[2].sentence, {"It explains line 2", "timeout"}));
}

TEST(OutOfMemory, DoesNotExplainAWaitBeforeIt)
{
    const LogCase log(
        std::string(
            "[rank0]:[E ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout\n")
        + kTooBig);
    EXPECT_EQ(findOtherFailuresInLog(log.input).size(), 1u);
}

TEST(NotOnDevice, SpeaksOfNoEngineWhereNoneIsSeen)
{
    const Finding found = failureIn(kContradiction);
    EXPECT_EQ(found.remedy.action.find("engine"), std::string::npos);
    for (const Evidence& evidence : found.evidence)
        EXPECT_EQ(evidence.sentence.find("engine"), std::string::npos) << evidence.sentence;
}

} // namespace highwater
