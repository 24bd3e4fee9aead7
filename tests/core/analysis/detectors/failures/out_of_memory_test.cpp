#include <algorithm>
#include <fmt/format.h>

#include "tests/core/analysis/detectors/failures/log_case.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

TEST(OutOfMemory, OfALogIsTooBigByWhatWasMissing)
{
    const auto found = findOutOfMemory(LogCase(kTooBig).input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "too-big");
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_EQ(found[0].bytes, 2 * kGiB);
    EXPECT_EQ(found[0].device, 0);
}

TEST(OutOfMemory, OfOneRequestOnSeveralRanksIsOneFinding)
{
    const LogCase log(fmt::format("[rank0]: {0}[rank1]: {0}", kTooBig));
    const auto found = findOutOfMemory(log.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].evidence.back().sentence, {"rank 1"}));
}

TEST(OutOfMemory, OfAReplicaIsOneFailureWithTheMessageThatPassesItOn)
{
    const LogCase log("torch.OutOfMemoryError: Caught OutOfMemoryError in replica 0 on device 0.\n"
                      "Original Traceback (most recent call last):\n"
        + std::string(kTooBig));
    EXPECT_EQ(findOutOfMemory(log.input).size(), 1u);
    EXPECT_TRUE(findOtherFailuresInLog(log.input).empty());
}

TEST(OutOfMemory, SaysWhatIsCountedAndNotOnTheDevice)
{
    const auto found = findOutOfMemory(LogCase(kContradiction).input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "not-on-device");
    EXPECT_NEAR(static_cast<double>(found[0].bytes), 26.56 * static_cast<double>(kGiB), 1e7);
}

TEST(OutOfMemory, EveryFailureOfALogHasAFinding)
{
    const LogCase log(
        "CUDA out of memory. Tried to allocate 1.00 GiB. ... of which 200.00 MiB is free. Process "
        "4242 has 9.00 GiB memory in use. ...\n");
    const auto found = findOutOfMemory(log.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "out-of-memory");
    EXPECT_EQ(found[0].bytes, kGiB);
}

TEST(OutOfMemory, OfALimitIsSure)
{
    const LogCase log(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total "
        "capacity of 63.42 GiB of which 1.20 GiB is free. 60.25 GiB allowed; Including non-PyTorch "
        "memory, this process has 62.22 GiB memory in use. Of the allocated memory 59.76 GiB is "
        "allocated by PyTorch, and 78.23 MiB is reserved by PyTorch but unallocated.\n");
    const auto found = findOutOfMemory(log.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "process-cap");
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_TRUE(findOutsidePyTorch(log.input).empty()) << "2.38 GiB outside were not in the way";
}

TEST(OutOfMemory, LeavesOtherProcessesToTheRuleThatNamesThem)
{
    EXPECT_TRUE(findOutOfMemory(LogCase(kOtherProcess).input).empty());
    const auto found = findOutsidePyTorch(LogCase(kOtherProcess).input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].device, 3);
    EXPECT_TRUE(test::hasParts(found[0].remedy.action, {"process 4711"}));
    EXPECT_TRUE(
        test::hasParts(found[0].title, {"GPU 3", "it would fit without process 4711, which holds 10 GiB"}));
}

TEST(OutOfMemory, NamesOnlySomeOfManyOtherProcesses)
{
    std::string text;
    for (int process = 0; process < 100; ++process) {
        std::string message = kOtherProcess;
        message.replace(message.find("4711"), 4, std::to_string(5000 + process));
        text += "step " + std::to_string(process) + "\n" + message;
    }
    const auto found = findOutsidePyTorch(LogCase(text).input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(
        found[0].remedy.action, {"5000, 5001", "5014, 5015 and 84 more", "end them: the requests then fit"}));
}

TEST(OutOfMemory, NamesASettingThatAReplayProves)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/oom-fragmentation.pickle.zst"), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findOutOfMemory(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(
        found[0].remedy.action, {"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "in a replay"}));
    EXPECT_EQ(found[0].remedy.savedBytes, 900 * kMiB);
}

/// A replay of the failed request alone would advise expandable segments. But with them both programs ran out
/// of memory a little later, because the rest of the step needs more.
TEST(OutOfMemory, NamesNoSettingThatOnlyPutsTheFailureOff)
{
    for (const char* sample : {"oom-uncaught", "oom-backward-observer"}) {
        const auto imported
            = openTrace(test::samplePath("rehearsed/" + std::string(sample) + ".pickle.zst"), {});
        const DeviceStudy study(*imported->trace, 0);
        const auto found = findOutOfMemory(DetectorInput(study));
        ASSERT_EQ(found.size(), 1u) << sample;
        EXPECT_EQ(found[0].remedy.action.find("PYTORCH_CUDA_ALLOC_CONF"), std::string::npos) << sample;
        for (const Finding& finding : findSettingsAdvice(DetectorInput(study))) {
            EXPECT_TRUE(test::hasParts(finding.title, {"the failed request still does not fit"})) << sample;
            EXPECT_EQ(finding.remedy.action, "") << sample << ": a setting that does not help is no advice";
            EXPECT_EQ(finding.kind, FindingKind::Fact) << sample;
        }
    }
}

TEST(OutOfMemory, OfDividedMemorySaysWhereTheMemoryIsThatIsInTheWay)
{
    const auto imported = openTrace(test::samplePath("rehearsed/oom-backward-observer.pickle.zst"), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findOutOfMemory(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].remedy.action,
        {"Lower the batch: the request needs 46.56 MiB more than the GPU has free. ",
            "At this point forward (batch_search_oom.py:20) holds 11.85 GiB, and 19.26 GiB is activations"}));
}

TEST(OutOfMemory, AsksForALimitThatTheFileDoesNotShow)
{
    const auto imported = openTrace(test::samplePath("failures/process-cap.pickle.zst"), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findOutOfMemory(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].remedy.action.starts_with("Look in the script for a limit"))
        << found[0].remedy.action;
}

TEST(OutOfMemory, NamesNoSettingWhereTheDeviceIsFull)
{
    const auto imported = openTrace(test::samplePath("pytorch-snapshot/oom-too-big.pickle.zst"), {});
    const DeviceStudy study(*imported->trace, 0);
    const auto found = findOutOfMemory(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].remedy.action.find("PYTORCH_CUDA_ALLOC_CONF"), std::string::npos);
}

TEST(OutOfMemory, SaysWhatShareOfTheActivationsIsMissing)
{
    const auto trace = openTrace(test::samplePath("rehearsed/oom-forward-caught.pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    const auto found = findOutOfMemory(DetectorInput(study));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].remedy.action.find("6% of the activations"), std::string::npos)
        << found[0].remedy.action;
}

TEST(OutOfMemory, IsSilentWhereNothingFailed)
{
    const test::DetectorCase tiny("alloc a 100\nend\n");
    EXPECT_TRUE(findOutOfMemory(tiny.input).empty());
}

TEST(OutsidePyTorch, IsWhatIsNeitherReservedNorFree)
{
    const auto found = findOutsidePyTorch(LogCase(kOtherProcess).input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_NEAR(static_cast<double>(found[0].bytes), 10 * static_cast<double>(kGiB), 1e7)
        << "the other 0.64 GiB are this process's context";
    EXPECT_EQ(found[0].remedy.savedBytes, std::min(found[0].bytes, 10 * kGiB)) << "what process 4711 holds";
    EXPECT_EQ(found[0].device, 3);
}

TEST(OutsidePyTorch, IsSilentAboutAnOrdinaryContext)
{
    EXPECT_TRUE(findOutsidePyTorch(LogCase(kTooBig).input).empty());
}

TEST(OutsidePyTorch, DoesNotTakeTheOwnProcessForAnother)
{
    // In a container, the message lists the process itself under the host's number for it.
    const LogCase log(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 58.00 MiB. GPU 0 has a total capacity "
        "of 15.73 GiB of which 43.12 MiB is free. Process 2689301 has 2.92 GiB memory in use. Process "
        "2708525 has 12.75 GiB memory in use. Of the allocated memory 12.11 GiB is allocated by PyTorch, and "
        "257.12 MiB is reserved by PyTorch but unallocated.\n");
    const auto found = findOutsidePyTorch(log.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(static_cast<double>(found[0].bytes), 3.33 * static_cast<double>(kGiB), 1e7);
}

namespace {

/// Returns findings for 1 GiB at the peak, with each block in a separate segment, and for samples of the
/// device (as from nvidia-smi) on the same clock.
std::vector<Finding> besideSamples(double usedBytes, Clock clock = Clock::Unix)
{
    test::DetectorCase tiny("alloc A 100MiB t=20\nalloc B 924MiB t=40\nend\n");
    auto samples = std::make_shared<Trace>();
    samples->metadata.clock = clock;
    CounterSeries counter;
    counter.name = "memory used";
    counter.unit = "bytes";
    counter.quantity = Quantity::DeviceUsed;
    counter.deviceOrdinal = 0;
    counter.time = {5'000, 50'000};
    counter.value = {usedBytes, usedBytes};
    samples->counters.push_back(counter);
    tiny.input.auxiliaryFiles.push_back({"samples.csv", samples});
    return findOutsidePyTorch(tiny.input);
}

} // namespace

TEST(OutsidePyTorch, IsWhatSamplesShowBeyondWhatIsReserved)
{
    const auto found = besideSamples(5.0 * kGiB);
    EXPECT_EQ(test::bytesOfOnly(found), 4 * kGiB);
    EXPECT_EQ(found[0].grade, Grade::B);
    EXPECT_TRUE(besideSamples(2.5 * kGiB).empty()) << "an ordinary context";
}

TEST(OutsidePyTorch, IsNotJudgedWhereTheClocksAreUnrelated)
{
    EXPECT_TRUE(besideSamples(5.0 * kGiB, Clock::Own).empty());
}

namespace {

std::vector<Finding> hostFindings(const std::string& text)
{
    return findHostOutOfMemory(LogCase(text).input);
}

} // namespace

TEST(HostOutOfMemory, IsWhatKernelSlurmAndKubernetesSay)
{
    const auto kernel = hostFindings("[12345.678901] Out of memory: Killed process 31415 (python) "
                                     "total-vm:98765432kB, anon-rss:67108864kB, file-rss:0kB\n");
    ASSERT_EQ(kernel.size(), 1u);
    EXPECT_EQ(kernel[0].grade, Grade::A);
    EXPECT_EQ(kernel[0].bytes, 64 * kGiB);
    for (const char* line : {"Memory cgroup out of memory: Killed process 31415 (python)\n",
             "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=191.batch cgroup. Some of your "
             "processes "
             "may have been killed by the cgroup out-of-memory handler.\n",
             "slurmstepd: error: Detected 2 oom_kill events in StepId=7.13. Some of the step tasks have been "
             "OOM "
             "Killed.\n",
             "srun: error: node107: task 0: Out Of Memory\n", "      Reason:       OOMKilled\n"}) {
        const auto found = hostFindings(line);
        ASSERT_EQ(found.size(), 1u) << line;
        EXPECT_EQ(found[0].grade, Grade::A) << line;
    }
}

TEST(HostOutOfMemory, IsAQuestionWhereAWorkerOfADataLoaderWasKilled)
{
    const LogCase log("RuntimeError: DataLoader worker (pid 2978) is killed by signal: Killed.\n");
    EXPECT_TRUE(findHostOutOfMemory(log.input).empty());
    const auto found = findOtherFailuresInLog(log.input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, "unclear-failure");
    EXPECT_EQ(found[0].grade, Grade::C);
}

TEST(HostOutOfMemory, IsNotWhatAnyoneMayKill)
{
    EXPECT_TRUE(
        hostFindings("Process finished with exit code 137 (interrupted by signal 9: SIGKILL)\n").empty());
    EXPECT_TRUE(hostFindings("RuntimeError: DataLoader worker (pid 8102) is killed by signal: Terminated.\n")
                    .empty());
    EXPECT_TRUE(
        hostFindings("RuntimeError: DataLoader worker (pid 25902) is killed by signal: Segmentation fault\n")
            .empty());
    EXPECT_TRUE(hostFindings(kTooBig).empty());
}

TEST(HostOutOfMemory, CitesTheLineThatProvesItBeforeAKillWithoutAReason)
{
    const auto found = hostFindings("./run.sh: line 3: 4321 Killed                  python train.py\n"
                                    "[ 100.000000] Out of memory: Killed process 4321 (python) "
                                    "total-vm:90000000kB, anon-rss:60000000kB, file-rss:0kB\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].evidence.front().sentence.starts_with("line 2: "))
        << found[0].evidence.front().sentence;
}

TEST(HostOutOfMemory, TakesAKilledProcessAsFurtherEvidence)
{
    const auto found = hostFindings("slurmstepd: error: Detected 1 oom_kill event in StepId=7.0.\n"
                                    "Process finished with exit code 137\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].evidence.size(), 2u);
}

TEST(InconsistentOomText, NamesTheContradictionAndItsBytes)
{
    EXPECT_TRUE(findInconsistentOomText(LogCase(kContradiction).input).empty())
        << "more than the device has is usual with lent memory";
    const auto found = findInconsistentOomText(LogCase(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity "
        "of 24.00 GiB of which 30.00 GiB is free. Of the allocated memory 2.00 GiB is allocated by PyTorch\n")
                                                   .input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, kGiB);
}

TEST(InconsistentOomText, IsSilentAboutAMessageThatHolds)
{
    EXPECT_TRUE(findInconsistentOomText(LogCase(kOtherProcess).input).empty());
}

TEST(NotOnDevice, AsksTheTrainingToMakeRoomSinceTheEngineIsNotOnTheGpu)
{
    DetectorInput input;
    input.auxiliaryFiles.push_back(
        {"r4.err", openTrace(test::samplePath("logs/r4-verl-before.err"), {})->trace});
    const auto found = findOutOfMemory(input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].remedy.action,
        {"Offload the trainer's parameters", "micro batch (32 in this run)",
            "this has to free at least 12.69 GiB"}));
    EXPECT_TRUE(test::hasParts(found[0].evidence.at(0).sentence,
        {"Line 7: 17.66 GiB requested", "4.97 GiB free", "79.18 GiB capacity",
            "100.77 GiB allocated by PyTorch"}))
        << "the evidence proves the title";
    EXPECT_EQ(found[0].remedy.action.find("Windows"), std::string::npos);
}

TEST(NotOnDevice, SpeaksOfWindowsWhereTheTracebackHasItsPaths)
{
    DetectorInput input;
    input.auxiliaryFiles.push_back({"kohya.log",
        openTrace(test::samplePath("logs/families/windows-allocated-above-card.log"), {})->trace});
    const auto found = findOutOfMemory(input);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].remedy.action, {"Windows"}));
    EXPECT_EQ(found[0].remedy.action.find("engine"), std::string::npos);
}

TEST(OutsidePyTorch, IsNotNamedWhereRoomWasNotMissing)
{
    std::string message = kOtherProcess;
    message.replace(message.find("4.00 GiB"), 8, "0.50 GiB");
    EXPECT_TRUE(findOutsidePyTorch(LogCase(message).input).empty()) << "1 GiB was free";
}

TEST(OutsidePyTorch, IsAFactOfARunThatDidNotFail)
{
    const auto found = besideSamples(5.0 * kGiB);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
    EXPECT_TRUE(found[0].remedy.action.empty());
}

} // namespace highwater
