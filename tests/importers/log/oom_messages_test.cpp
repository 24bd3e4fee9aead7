// Tests of all wordings of out-of-memory messages.
#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::shared_ptr<const Trace> logOfMessages(const std::string& text)
{
    const Result<ImportedTrace> imported = test::importBytes(text);
    EXPECT_TRUE(imported);
    return imported ? imported->trace : std::make_shared<const Trace>();
}

LogEvent onlyOom(const std::string& text)
{
    const auto trace = logOfMessages(text);
    EXPECT_EQ(trace->logEvents.size(), 1u) << text;
    LogEvent event = trace->logEvents.empty() ? LogEvent() : trace->logEvents[0];
    if (!event.figures)
        event.figures.emplace();
    return event;
}

Bytes bytesOf(const std::optional<WrittenBytes>& written)
{
    return written ? written->bytes : -1;
}

} // namespace

TEST(OomMessage, OfTorch10SaysCached)
{
    const OomFigures f
        = *onlyOom("RuntimeError: CUDA out of memory. Tried to allocate 12.50 MiB (GPU 2; 10.00 GiB total "
                   "capacity; 8.00 MiB already allocated; 9.50 GiB free; 4.00 MiB cached)\n")
               .figures;
    EXPECT_EQ(bytesOf(f.requested), 13'107'200);
    EXPECT_EQ(f.requested->rounding, 5'243);
    EXPECT_EQ(f.device, 2);
    EXPECT_EQ(bytesOf(f.capacity), 10 * kGiB);
    EXPECT_EQ(bytesOf(f.allocated), 8 * kMiB);
    EXPECT_EQ(bytesOf(f.reservedUnallocated), 4 * kMiB);
    EXPECT_EQ(f.wording, "torch 1.0 to 1.3");
}

TEST(OomMessage, OfTorch14SaysReservedInTotal)
{
    const OomFigures f = *onlyOom(
        "CUDA out of memory. Tried to allocate 2.50 GiB (GPU 0; 6.00 GiB total capacity; 512.00 MiB "
        "already allocated; 0 bytes free; 1.25 GiB reserved in total by PyTorch)\n")
                              .figures;
    EXPECT_EQ(bytesOf(f.reserved), kGiB + kGiB / 4);
    EXPECT_EQ(bytesOf(f.free), 0);
    EXPECT_FALSE(f.reservedUnallocated);
}

TEST(OomMessage, OfTorch21IsMisspelt)
{
    const OomFigures f = *onlyOom(
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 55.50 GiB. GPU 0 has a "
        "total capacty of 12.00 GiB of which 9.00 GiB is free. Of the allocated memory 1.00 GiB is "
        "allocated by PyTorch, and 463.50 MiB is reserved by PyTorch but unallocated.\n")
                              .figures;
    EXPECT_EQ(bytesOf(f.capacity), 12 * kGiB);
    EXPECT_EQ(f.wording, "torch 2.1 to 2.2");
}

TEST(OomMessage, ListsOtherProcessesAndTheLimit)
{
    const OomFigures f = *onlyOom(
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 MiB. GPU 1 has a total "
        "capacity of 64.00 GiB of which 1.00 GiB is free. 32.00 GiB allowed; Process 11 has 1.50 GiB "
        "memory in use. Process 12 has 2.00 GiB memory in use. Including non-PyTorch memory, this "
        "process has 31.00 GiB memory in use. Of the allocated memory 30.00 GiB is allocated by "
        "PyTorch, with 17.00 MiB allocated in private pools (e.g., HIP Graphs), and 8.00 MiB is "
        "reserved by PyTorch but unallocated.\n")
                              .figures;
    EXPECT_EQ(f.backend, "HIP");
    EXPECT_EQ(bytesOf(f.allowed), 32 * kGiB);
    ASSERT_EQ(f.otherProcesses.size(), 2u);
    EXPECT_EQ(f.otherProcesses[1].process, 12);
    EXPECT_EQ(f.otherProcesses[1].used.bytes, 2 * kGiB);
    EXPECT_EQ(bytesOf(f.processUsed), 31 * kGiB);
    EXPECT_EQ(bytesOf(f.privatePools), 17 * kMiB);
    EXPECT_EQ(bytesOf(f.reservedUnallocated), 8 * kMiB);
}

TEST(OomMessage, ShowsTheDeviceAsARawByte)
{
    EXPECT_EQ(onlyOom("CUDA out of memory. Tried to allocate 1.00 GiB. GPU \x01 has a total capacity of "
                      "32.00 GiB of which "
                      "985.50 MiB is free.\n")
                  .figures->device,
        1);
    const OomFigures cut = *onlyOom("CUDA out of memory. Tried to allocate 1.00 GiB. GPU \n").figures;
    EXPECT_EQ(cut.device, 0);
    EXPECT_EQ(bytesOf(cut.requested), kGiB);
}

TEST(OomMessage, OfTheAsynchronousAllocatorHasManyLines)
{
    const LogEvent event = onlyOom(
        "torch.cuda.OutOfMemoryError: Allocation on device 5 would exceed allowed memory. (out of memory)\n"
        "Currently allocated     : 54.00 GiB\nRequested               : 686.00 MiB\n"
        "Device limit            : 79.00 GiB\nFree (according to CUDA): 27.00 MiB\n"
        "PyTorch limit (set by user-supplied memory fraction)\n"
        "                        : 17179869184.00 GiB\n");
    EXPECT_EQ(event.figures->device, 5);
    EXPECT_EQ(bytesOf(event.figures->requested), 686 * kMiB);
    EXPECT_EQ(bytesOf(event.figures->allocated), 54 * kGiB);
    EXPECT_EQ(bytesOf(event.figures->free), 27 * kMiB);
    EXPECT_FALSE(event.figures->allowed);
}

TEST(OomMessage, OfOtherBackends)
{
    EXPECT_EQ(
        bytesOf(onlyOom(
            "RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate "
            "memory: you tried to allocate 1125899906842624 bytes. Error code 12\n")
                    .figures->requested),
        Bytes{1} << 50);
    EXPECT_EQ(
        bytesOf(onlyOom(
            "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 6291456 "
            "bytes.\n")
                    .figures->requested),
        6 * kMiB);
    const OomFigures mps = *onlyOom(
        "RuntimeError: MPS backend out of memory (MPS allocated: 9.00 GB, other allocations: 1.25 GB, "
        "max allowed: 10.50 GB). Tried to allocate 256 bytes on private pool.\n")
                                .figures;
    EXPECT_EQ(bytesOf(mps.allocated), 9 * kGiB);
    EXPECT_EQ(bytesOf(mps.requested), 256);
}

TEST(OomMessage, CutByATerminalInMidWordIsPutTogether)
{
    const OomFigures f = *onlyOom("CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total "
                                  "capacity of 8.00 GiB of which 512.00\n"
                                  " MiB is free. Of the allocated memory 6.00 GiB is allocated by P\n"
                                  "yTorch, and 256.00 MiB is reserved by PyTorch but unallocated.\nnext\n")
                              .figures;
    EXPECT_EQ(bytesOf(f.allocated), 6 * kGiB);
    EXPECT_EQ(bytesOf(f.reservedUnallocated), 256 * kMiB);
}

TEST(OomMessage, OverThreeLinesIsOneMessage)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath("logs/r4-verl-slurm.err"), {});
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->logEvents.size(), 1u);
    const LogEvent& event = imported->trace->logEvents[0];
    EXPECT_EQ(event.text,
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 17.66 GiB.\n"
        "GPU 0 has a total capacity of 79.18 GiB of which 4.97 GiB is free.\n"
        "Of the allocated memory 100.77 GiB is allocated by PyTorch");
    EXPECT_EQ(event.figures->requested, (WrittenBytes{18'962'280'612, 5'368'709}));
    EXPECT_EQ(event.figures->free->bytes, 5'336'496'865);
    EXPECT_EQ(event.fatal, std::nullopt) << "nothing shows the end";
}

TEST(OomMessage, ReRaisedAndSummarisedIsOneFailureOfEachRank)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath("logs/two-ranks-oom.log"), {});
    ASSERT_TRUE(imported);
    const std::vector<LogEvent>& events = imported->trace->logEvents;
    ASSERT_EQ(events.size(), 4u);
    EXPECT_EQ(events[0].failure, 0);
    EXPECT_EQ(events[1].failure, 1);
    EXPECT_EQ(events[2].failure, 0);
    EXPECT_EQ(events[3].failure, 1);
    EXPECT_EQ(events[3].rank, 1);
    EXPECT_EQ(events[0].step, 4);
    EXPECT_TRUE(events[0].stepInferred);
    EXPECT_EQ(events[0].frames.size(), 4u);
    EXPECT_EQ(imported->trace->text(events[1].frames[1].source), "loss = model(batch)");
    EXPECT_FALSE(events[0].lowTrust);
}

TEST(OomMessage, AgainAfterMoreStepsIsASecondFailureAndTheFirstWasNotFatal)
{
    const std::string oom
        = "CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 8.00 GiB total capacity; 6.00 GiB already "
          "allocated; 0 bytes free; 7.00 GiB reserved in total by PyTorch)\n";
    const std::string step = "step:  1  loss: 1 memory: 1.00GiB(1.00%)\n";
    const auto trace = logOfMessages(oom + step + oom);
    ASSERT_EQ(trace->logEvents.size(), 2u);
    EXPECT_EQ(trace->logEvents[1].failure, 1);
    EXPECT_EQ(trace->logEvents[0].fatal, false);
    EXPECT_NE(trace->logEvents[1].fatal, false);
}

TEST(OomMessage, ALastRecordOfTheProgramIsNoWork)
{
    const std::string oom
        = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has "
          "a total capacity of 8.00 GiB of which 0 bytes is free. Of the allocated memory 7.00 "
          "GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.\n";
    const auto step = [](int number) {
        return "[08/30 15:01:15] d2.utils.events INFO:  iter: " + std::to_string(number)
            + "  max_mem: 303M\n";
    };
    EXPECT_NE(logOfMessages(step(7) + oom + step(7))->logEvents.at(0).fatal, false);
    EXPECT_EQ(logOfMessages(step(7) + oom + step(8))->logEvents.at(0).fatal, false);
    EXPECT_NE(logOfMessages(oom + step(0))->logEvents.at(0).fatal, false) << "no step was done";
}

TEST(LogStarts, KeepSeriesAndFailuresApart)
{
    const std::string banner = "[08/30 15:01:15] detectron2 INFO: Rank of current process: 0. World size: 1\n"
                               "[08/30 15:01:16] detectron2 INFO: Environment info:\n";
    const std::string oom
        = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has "
          "a total capacity of 8.00 GiB of which 0 bytes is free. Of the allocated memory 7.00 "
          "GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.\n";
    std::string filling;
    for (int i = 0; i < 30; ++i)
        filling += "a line of the program\n";
    const std::string record = "[08/30 15:01:17] d2.utils.events INFO:  iter: 9  max_mem: 303M\n";
    const auto trace = logOfMessages(banner + filling + record + oom + banner + filling + oom + record);
    ASSERT_EQ(trace->counters.size(), 2u);
    EXPECT_EQ(trace->counters[0].process, "");
    EXPECT_EQ(trace->counters[1].process, "start 2");
    ASSERT_EQ(trace->logEvents.size(), 2u);
    EXPECT_EQ(trace->logEvents[0].fatal, true) << "what follows is another start";
    EXPECT_EQ(trace->logEvents[1].process, "start 2");
    EXPECT_EQ(trace->logEvents[1].failure, 1) << "no copy of the first";
    EXPECT_EQ(trace->logEvents[1].step, LogEvent::kNoStep);
    // Ranks write the same lines at the same time, with nothing between them.
    EXPECT_EQ(logOfMessages(banner + filling + banner + filling + record)->counters.at(0).process, "");
}

TEST(OomMessage, MixedByWritersOfOneLineIsOfLowTrust)
{
    const auto trace = logOfMessages(
        "CUDA out of memory. Tried to allocate torch.CUDA out of memory. Tried to allocate 1.00 GiB\n\n");
    ASSERT_EQ(trace->logEvents.size(), 2u);
    EXPECT_TRUE(trace->logEvents[0].lowTrust);
}

TEST(LogEvents, OfTheDriverAndTheHostAreToldApart)
{
    const auto trace
        = logOfMessages("RuntimeError: CUDA error: out of memory\nslurmstepd: error: Detected 1 "
                        "oom_kill event in StepId=1.0\n"
                        "[W] expandable_segments: memory mapping failed with OOM on device 0 while "
                        "trying to map 20971520 bytes\n");
    ASSERT_EQ(trace->logEvents.size(), 3u);
    EXPECT_EQ(trace->logEvents[0].kind, LogEvent::Kind::DriverOom);
    EXPECT_EQ(trace->logEvents[1].kind, LogEvent::Kind::HostOom);
    EXPECT_EQ(trace->logEvents[2].kind, LogEvent::Kind::Warning);
}

} // namespace highwater
