// Tests of memory figures in lines and keys in unrecognized formats.
#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

const CounterSeries* looseSeries(
    const Trace& trace, std::string_view metric, std::optional<std::int64_t> device = {})
{
    for (const CounterSeries& series : trace.counters)
        if (series.metric == metric && series.deviceOrdinal == device && series.unit == "bytes")
            return &series;
    return nullptr;
}

/// Returns values in GiB with two decimals; empty if there is no such series.
std::vector<double> looseGibibytes(
    const std::string& file, std::string_view metric, std::optional<std::int64_t> device = {})
{
    const Result<ImportedTrace> imported = openTrace(test::samplePath("logs/kinds/" + file), {});
    EXPECT_TRUE(imported) << file;
    const CounterSeries* const series = imported ? looseSeries(*imported->trace, metric, device) : nullptr;
    std::vector<double> values;
    if (series)
        for (const double value : series->value)
            values.push_back(std::round(value / static_cast<double>(kGiB) * 100) / 100);
    return values;
}

std::shared_ptr<const Trace> looseTrace(const std::string& text)
{
    const Result<ImportedTrace> imported = test::importBytes(text);
    EXPECT_TRUE(imported);
    return imported ? imported->trace : std::make_shared<const Trace>();
}

} // namespace

using Values = std::vector<double>;

TEST(LooseFigures, AreReadByWordsAndUnits)
{
    EXPECT_EQ(looseGibibytes("returnn.log", "memory", 0), (Values{6.1, 6.2}));
    EXPECT_EQ(looseGibibytes("returnn.log", "memory", 1), (Values{6.4}));
    EXPECT_EQ(looseGibibytes("offload-manager.log", "memory"), (Values{50, 10}));
    EXPECT_EQ(looseGibibytes("offload-manager.log", "device_total"), (Values{70, 70}));
    EXPECT_EQ(looseGibibytes("allocated-reserved-mb.log", "allocated"), (Values{0.98, 2.93}));
    EXPECT_EQ(looseGibibytes("allocated-reserved-mb.log", "reserved"), (Values{1.17, 3.13}));
    EXPECT_EQ(looseGibibytes("autobatch.log", "device_free", 1), (Values{14.1}));
    EXPECT_EQ(looseGibibytes("autobatch.log", "allocated", 1), (Values{0.4}));
    EXPECT_EQ(looseGibibytes("hand-made-gib.log", "memory_peak"), (Values{3.5, 3.75}));
    EXPECT_EQ(looseGibibytes("hand-made-gib.log", "reserved"), (Values{4, 4.5}));
    EXPECT_EQ(looseGibibytes("max-memory.log", "memory_peak"), (Values{9.75, 10.25}));
}

TEST(LooseFigures, OfEnginesAndTrainersAreThoseOfTheirForms)
{
    EXPECT_EQ(looseGibibytes("sleep-mode.log", "device_used", 0), (Values{60.5}));
    EXPECT_EQ(looseGibibytes("sleep-mode.log", "device_used", 1), (Values{60.4}));
    EXPECT_EQ(looseGibibytes("counter-but-no-figures.log", "device_free"), (Values{38}));
    EXPECT_EQ(looseGibibytes("fairseq-free.log", "total_minus_allocated_peak"), (Values{12.3, 1.2}));
    EXPECT_EQ(looseGibibytes("engine-available.log", "device_used_delta"), (Values{15.3}));
    EXPECT_EQ(looseGibibytes("ggml-buffers.log", "component", 0), (Values{7.32}));
}

TEST(LooseFigures, OfKeysAreInComparableBytes)
{
    EXPECT_EQ(looseGibibytes("highest-value-two-units.jsonl", "allocated"), (Values{11.72, 12.21}));
    EXPECT_EQ(looseGibibytes("highest-value-two-units.jsonl", "reserved"), (Values{18.5, 18.5}));
}

TEST(LooseFigures, KeepLabelStepAndDoubtAboutTheUnit)
{
    const auto trace = looseTrace("[qkv done] step 7: memory in use 3.5 GB\n");
    const CounterSeries* const series = looseSeries(*trace, "memory");
    ASSERT_TRUE(series);
    EXPECT_EQ(series->labelAt(0), "qkv done");
    EXPECT_EQ(series->stepAt(0), 7);
    EXPECT_TRUE(series->unitGuessed);
    EXPECT_FALSE(series->quantity);
}

TEST(LooseFigures, AreNoneWhereSomethingElseIsMeasured)
{
    for (const char* line : {"Downloading shards: 5.00 GB of memory-mapped files at 120 MB/s\n",
             "checkpoint of 12.5 GB written, memory layout contiguous\n", "model has 7B parameters, 14 GB\n",
             "bucket of 25 MB for allocated gradients\n"})
        EXPECT_TRUE(looseTrace(line)->counters.empty()) << line;
}

TEST(LooseFigures, OfAPartAndItsWholeShareTheUnit)
{
    const auto trace = looseTrace("GPU 0: mem 10.5/80.0 GB | util 98%\n");
    ASSERT_TRUE(looseSeries(*trace, "memory", 0));
    EXPECT_EQ(looseSeries(*trace, "memory", 0)->value, (Values{10.5 * static_cast<double>(kGiB)}));
    EXPECT_EQ(looseSeries(*trace, "device_total", 0)->value, (Values{80.0 * static_cast<double>(kGiB)}));
}

TEST(LooseFigures, OfAMessageAreNoSeries)
{
    EXPECT_TRUE(looseGibibytes("verdict-without-finding.log", "memory").empty());
    EXPECT_TRUE(looseGibibytes("jax-buffer-assignment.log", "allocated").empty());
}

} // namespace highwater
