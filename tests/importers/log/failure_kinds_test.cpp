// Tests of all kinds of failures, by the program that reports them: samples/logs/kinds has one invented log
// for each.
#include <gtest/gtest.h>

#include "core/analysis/logs/log_failures.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using Kind = LogEvent::Kind;
using Subject = LogEvent::Subject;

/// A failure that a log must report.
struct ToldFailure
{
    const char* file;
    Kind kind;
    Subject subject;
    std::size_t failures = 1;
    std::optional<std::int64_t> device = {};
    Bytes requested = -1; ///< −1 if it is not stated
};

void PrintTo(const ToldFailure& told, std::ostream* out)
{
    *out << told.file;
}

std::shared_ptr<const Trace> kindSample(const std::string& file)
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath("logs/kinds/" + file), {});
    EXPECT_TRUE(imported) << file;
    return imported ? imported->trace : std::make_shared<const Trace>();
}

const ToldFailure kTold[] = {
    {"driver-oom-nccl.log", Kind::DriverOom, Subject::Device, 1, 6, 4'194'304},
    {"driver-oom-accelerator-error.log", Kind::DriverOom, Subject::Device},
    {"driver-oom-cublas.log", Kind::DriverOom, Subject::Device},
    {"driver-oom-cudnn.log", Kind::DriverOom, Subject::Device},
    {"driver-oom-hip.log", Kind::DriverOom, Subject::Device},
    {"driver-oom-ggml.log", Kind::DriverOom, Subject::Device, 1, 1, 2500 * kMiB},
    {"bitsandbytes.log", Kind::DriverOom, Subject::Device},
    {"level-zero.log", Kind::DriverOom, Subject::Device},
    {"engine-no-cache-blocks.log", Kind::EngineOom, Subject::Device},
    {"engine-cache-below-one-sequence.log", Kind::EngineOom, Subject::Device},
    {"engine-static-fraction.log", Kind::EngineOom, Subject::Device},
    {"ray-memory-pressure.log", Kind::HostOom, Subject::Host},
    {"sacct.log", Kind::HostOom, Subject::Host},
    {"kubelet-evicted.log", Kind::HostOom, Subject::Host},
    {"pbs.log", Kind::HostOom, Subject::Host},
    {"lsf.log", Kind::HostOom, Subject::Host},
    {"earlyoom.log", Kind::HostOom, Subject::Host},
    {"cpu-allocator.log", Kind::HostOom, Subject::Host, 1, {}, 107'374'182'400},
    {"numpy.log", Kind::HostOom, Subject::Host, 1, {}, 79'993'765'888},
    {"bad-alloc.log", Kind::HostOom, Subject::Host},
    {"errno-12.log", Kind::HostOom, Subject::Host},
    {"mmap.log", Kind::HostOom, Subject::Host, 1, {}, 5'000'000'000},
    {"killed-and-kernel-log.log", Kind::HostOom, Subject::Host},
    {"shm-bus-error.log", Kind::HostOom, Subject::SharedMemory},
    {"shm-no-space.log", Kind::HostOom, Subject::SharedMemory},
    {"nvml-assert.log", Kind::Unclear, Subject::Device},
    {"killed-by-signal-only.log", Kind::Unclear, Subject::Host},
    {"shell-killed-only.log", Kind::Unclear, Subject::Host},
    {"torchrun-exit-minus-9.log", Kind::Unclear, Subject::Host},
    {"xla-hbm.log", Kind::Oom, Subject::Device, 1, {}, 20 * kMiB},
    {"tensorflow-bfc.log", Kind::Oom, Subject::Device, 1, {}, 64 * kMiB},
    {"tensorflow-tensor.log", Kind::Oom, Subject::Device, 1, 3, 64 * kMiB},
    {"paddle.log", Kind::Oom, Subject::Device, 1, 2, 512 * kMiB},
    {"cupy.log", Kind::Oom, Subject::Device, 1, {}, kGiB},
    {"xla-request.log", Kind::Oom, Subject::Device, 1, 1, 2'684'354'560},
    {"no-prefix.log", Kind::Oom, Subject::Device, 1, 1, 300 * kMiB},
    {"mps-invalid-buffer-size.log", Kind::Oom, Subject::Device, 1, {}, 25 * kGiB},
    {"xpu-4gb-limit.log", Kind::Oom, Subject::Device, 1, 0, 5'583'457'485},
    {"empty-sentence.log", Kind::Oom, Subject::Device},
};

class FailureOfAKind : public testing::TestWithParam<ToldFailure>
{
};

} // namespace

TEST_P(FailureOfAKind, IsToldOnceWithItsSubject)
{
    const auto trace = kindSample(GetParam().file);
    const std::vector<LogFailure> failures = failuresOfEveryKind(*trace);
    ASSERT_EQ(failures.size(), GetParam().failures);
    const LogEvent& event = trace->logEvents[failures.front().event];
    EXPECT_EQ(event.kind, GetParam().kind);
    EXPECT_EQ(event.subject, GetParam().subject);
    const OomFigures figures = event.figures.value_or(OomFigures{});
    EXPECT_EQ(figures.device, GetParam().device);
    EXPECT_EQ(figures.requested ? figures.requested->bytes : -1, GetParam().requested);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FailureOfAKind, testing::ValuesIn(kTold));

TEST(FailureKinds, AdviceSourceCodeAndOnChipMemoryAreNone)
{
    for (const char* file : {"advice-only.log", "nothing-to-examine.log"})
        EXPECT_TRUE(kindSample(file)->logEvents.empty()) << file;
    const std::shared_ptr<const Trace> onChip = kindSample("on-chip-memory.log");
    ASSERT_EQ(onChip->logEvents.size(), 1u);
    EXPECT_EQ(onChip->logEvents[0].kind, Kind::Other);
    EXPECT_TRUE(failuresOfEveryKind(*onChip).empty());
    for (const char* line :
        {"    raise ValueError(\"CUDA error: out of memory\")\n", "# failed with out of memory error\n",
            "use less batch to avoid out of memory errors\n",
            "grpc error RESOURCE_EXHAUSTED: Received message larger than max (5 vs. 4)\n",
            "W Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB. The caller indicates that "
            "this is not a failure, but may mean that there could be performance gains\n"}) {
        const auto imported = test::importBytes(line);
        ASSERT_TRUE(imported) << line;
        EXPECT_TRUE(failuresOfEveryKind(*imported->trace).empty()) << line;
    }
}

TEST(FailureKinds, WordsThatNoEntryHasAreUnclear)
{
    for (const char* line : {"ERROR my_engine: device ran out of memory\n",
             "FATAL: failed to allocate 512 MiB for the arena\n", "error: cannot allocate memory pool\n"}) {
        const auto imported = test::importBytes(line);
        ASSERT_TRUE(imported) << line;
        ASSERT_EQ(imported->trace->logEvents.size(), 1u) << line;
        EXPECT_EQ(imported->trace->logEvents[0].kind, Kind::Unclear) << line;
    }
}

TEST(FailureKinds, NumberAndKindOfTheDeviceAreThoseOfTheText)
{
    const auto figures = [](const std::string& file) {
        return kindSample(file)->logEvents.at(0).figures.value_or(OomFigures{});
    };
    EXPECT_FALSE(figures("device-number-missing.log").device);
    EXPECT_EQ(figures("npu-number-dropped.log").device, 3);
    EXPECT_EQ(figures("npu-number-dropped.log").deviceKind, "NPU");
    EXPECT_EQ(figures("mlu-number.log").device, 2);
    EXPECT_EQ(figures("mlu-number.log").deviceKind, "MLU");
    EXPECT_EQ(figures("hip-other-process.log").backend, "HIP");
}

TEST(FailureKinds, EveryFigureOfAMessageIsKept)
{
    const OomFigures mps = *kindSample("mps-gib.log")->logEvents.at(0).figures;
    EXPECT_EQ(mps.allowed->bytes, 18 * kGiB);
    EXPECT_EQ(mps.outside->bytes, 900 * kKiB);
    const OomFigures xla = *kindSample("xla-hbm.log")->logEvents.at(0).figures;
    EXPECT_EQ(xla.free->bytes, 45 * kMiB);
    EXPECT_EQ(xla.largestFree->bytes, 18 * kMiB);
    EXPECT_EQ(kindSample("xpu-4gb-limit.log")->logEvents.at(0).figures->largestAllowed->bytes, 4 * kGiB);
    EXPECT_TRUE(kindSample("empty-sentence.log")->logEvents.at(0).figures->requestIsCorrupt);
    EXPECT_EQ(kindSample("xla-hbm-used.log")->logEvents.at(0).figures->capacity->bytes, 63 * kGiB / 4);
    EXPECT_NEAR(
        static_cast<double>(kindSample("jax-buffer-assignment.log")->logEvents.at(0).figures->needed->bytes),
        13.3 * static_cast<double>(kGiB), 1e6);
}

TEST(FailureKinds, AnEndNeedsASignAndWorkIsNone)
{
    const auto fatal = [](const std::string& file) { return kindSample(file)->logEvents.at(0).fatal; };
    EXPECT_EQ(fatal("caught-and-going-on.log"), false);
    EXPECT_EQ(fatal("batch-skipped.log"), false);
    EXPECT_EQ(fatal("ended.log"), true);
    EXPECT_EQ(fatal("xpu-full.log"), std::nullopt);
    EXPECT_EQ(fatal("pbs.log"), true);
}

TEST(FailureKinds, OfOneJobAreOneAndOfTwoJobsTwo)
{
    const auto imported = test::importBytes("12             train  gpu  grp  1 OUT_OF_ME+    0:125 \n"
                                            "12.batch       batch       grp  1 OUT_OF_ME+    0:125 \n"
                                            "13             train  gpu  grp  1 OUT_OF_ME+    0:125 \n");
    ASSERT_TRUE(imported);
    EXPECT_EQ(failuresOfEveryKind(*imported->trace).size(), 2u);
}

} // namespace highwater
