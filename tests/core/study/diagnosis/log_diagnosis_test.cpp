// Checks the diagnosis of logs: each family has a table of the true statements about its files
// (diagnoses.tsv).
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "core/study/diagnosis/diagnosis.h"
#include "tests/support/import_bytes.h"
#include "tests/support/report_runs.h"

namespace highwater {

namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cellsOf(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '\t');)
        cells.push_back(cell);
    return cells;
}

std::vector<Row> isTruthy(const std::string& folder)
{
    std::istringstream in(test::readWholeFile(test::samplePath(folder + "/diagnoses.tsv")));
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = cellsOf(line);
    std::vector<Row> rows;
    while (std::getline(in, line)) {
        std::vector<std::string> cells = cellsOf(line);
        cells.resize(names.size());
        Row row;
        for (std::size_t i = 0; i < names.size(); ++i)
            row[names[i]] = cells[i];
        row["file"] = folder + "/" + row["file"];
        rows.push_back(std::move(row));
    }
    return rows;
}

template <typename T>
std::string textOf(const std::optional<T>& value)
{
    return value ? std::to_string(*value) : std::string();
}

Row saidOf(const std::string& file)
{
    const Diagnosis said = test::runOfSample(file).run().study->diagnosis();
    return {{"file", file}, {"class", std::string(toText(said.diagnosed))},
        {"failures", std::to_string(said.failureCount)},
        {"fatal",
            !said.fatal       ? ""
                : *said.fatal ? "true"
                              : "false"},
        {"rank", textOf(said.rank)}, {"device", textOf(said.device)},
        {"requested_bytes", textOf(said.requested)},
        {"place",
            said.place
                ? std::string(sourceFileName(said.place->file)) + ":" + std::to_string(said.place->line)
                : ""}};
}

} // namespace

class LogDiagnosis : public testing::TestWithParam<const char*>
{
};

TEST_P(LogDiagnosis, IsTrueOfEachFile)
{
    const std::vector<Row> truth = isTruthy(GetParam());
    EXPECT_GT(truth.size(), 50u);
    for (const Row& row : truth)
        EXPECT_EQ(saidOf(row.at("file")), row);
}

INSTANTIATE_TEST_SUITE_P(Logs, LogDiagnosis, testing::Values("logs/kinds", "logs/families"),
    [](const auto& named) { return test::testNameOf(named.param); });

TEST(LogDiagnosisPlace, OfAReplicaIsTheLineOfItsOwnTraceback)
{
    const std::string log
        = "Traceback (most recent call last):\n"
          "  File \"train.py\", line 30, in main\n"
          "    out = model(x)\n"
          "torch.OutOfMemoryError: Caught OutOfMemoryError in replica 0 on device 0.\n"
          "Original Traceback (most recent call last):\n"
          "  File \"model.py\", line 12, in forward\n"
          "    y = self.a(x)\n"
          "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a "
          "total capacity of 23.56 GiB of which 137.31 MiB is free.\n";
    const test::RunOfReport run(test::importBytes(log)->trace, "run.log");
    const std::optional<FailurePlace> place = run.run().study->diagnosis().place;
    ASSERT_TRUE(place);
    EXPECT_EQ(place->line, 12);
}

TEST(LogDiagnosisClass, OfAFailureThatIsNotMemoryComesBeforeAWarning)
{
    const std::string log
        = "[W1 CUDACachingAllocator.cpp:495] expandable_segments: memory mapping failed with OOM on device 0 "
          "while trying to map 20971520 bytes\n"
          "torch.AcceleratorError: CUDA error: an illegal memory access was encountered\n";
    const test::RunOfReport run(test::importBytes(log)->trace, "run.log");
    EXPECT_EQ(run.run().study->diagnosis().diagnosed, DiagnosisClass::NotGpuMemory);
}

TEST(LogDiagnosisSentence, CountsTheRanksThatFailedForAnotherProcess)
{
    std::string log;
    for (const std::string number : {"0", "1"})
        log += "[rank" + number
            + "]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU " + number
            + " has a total capacity of 23.64 GiB of which 1.00 GiB is free. Process 4711 has 10.00 GiB "
              "memory in "
              "use. Including non-PyTorch memory, this process has 12.64 GiB memory in use. Of the allocated "
              "memory 11 GiB is allocated by PyTorch, and 1 GiB is reserved by PyTorch but unallocated.\n";
    const test::RunOfReport run(test::importBytes(log)->trace, "run.log");
    const std::string said = run.run().study->diagnosis().sentence;
    EXPECT_TRUE(said.starts_with("2 ranks ran out of memory, first on GPU 0 (rank 0): 4 GiB requested; it "
                                 "would fit without process 4711, "))
        << said;
}

TEST(LogDiagnosisSentence, CountsTheRanksThatFailedAndNamesTheFirst)
{
    const std::string said = test::runOfSample("logs/two-ranks-oom.log").run().study->diagnosis().sentence;
    EXPECT_TRUE(said.starts_with("2 ranks ran out of memory, first on GPU 0 (rank 0")) << said;
}

} // namespace highwater
