// Checks that every document has the same diagnosis, and never "clean" if there is a failure or warning.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::runHighwater;
using test::samplePath;

json documentFrom(std::vector<std::string> arguments, const std::string& file)
{
    arguments.push_back(file);
    return parseJson(runHighwater(arguments).out);
}

json diagnosisIn(const json& document)
{
    return document.is_object() ? document.value("diagnosis", json()) : json();
}

/// Returns the diagnosis from an agent's tool.
json diagnosisForAgents(const std::string& file)
{
    const json hello = {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"},
        {"params",
            {{"protocolVersion", "2025-06-18"}, {"capabilities", json::object()},
                {"clientInfo", {{"name", "test"}, {"version", "1"}}}}}};
    const json call = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"},
        {"params", {{"name", "open"}, {"arguments", {{"files", {file}}}}}}};
    test::RunOptions options;
    options.input = hello.dump() + "\n" + call.dump() + "\n";
    const std::string folder = fs::is_directory(file) ? file : fs::path(file).parent_path().string();
    const std::string out = runHighwater({"mcp", folder}, options).out;
    const std::size_t second = out.find('\n') + 1;
    const json answer = parseJson(out.substr(second, out.find('\n', second) - second));
    const json told = parseJson(std::string(answer["result"]["content"][0]["text"]));
    return told.is_object() ? diagnosisIn(told.value("answer", json())) : json();
}

/// Returns the number of failures and warnings in the output of `info`.
std::int64_t countedIn(const json& info)
{
    std::int64_t counted = 0;
    for (const json& file : info.value("files", json::array())) {
        const json events = file.value("log_events", json::object());
        for (const char* const kind : {"oom", "warning", "driver_oom", "host_oom", "engine_oom", "unclear"})
            counted += events.value(kind, 0);
        for (const json& device : file.value("devices", json::array()))
            counted += static_cast<std::int64_t>(device.value("ooms", json::array()).size());
    }
    return counted;
}

bool hasCertainFault(const json& findings)
{
    return std::any_of(findings.begin(), findings.end(),
        [](const json& finding) { return finding["kind"] == "fault" && finding["grade"] != "C"; });
}

/// Returns a few files of each kind.
std::vector<std::string> someOfEach()
{
    std::vector<std::string> files{samplePath("ranks"), samplePath("runs/four-ranks-one-fails")};
    for (const char* const folder :
        {"pytorch-snapshot", "kineto", "nsys", "logs", "trainers", "encodings", "memory-timeline"})
        for (const std::string& name : test::sampleNames(folder))
            files.push_back(samplePath(name));
    return files;
}

} // namespace

TEST(SameDiagnosis, IsInEveryDocument)
{
    for (const std::string& file : someOfEach()) {
        const json findings = diagnosisIn(documentFrom({"findings", "--quiet", "--json"}, file));
        const json report = diagnosisIn(documentFrom({"report", "--quiet", "--json", "-o", "-"}, file));
        if (!findings.is_null() && !report.is_null()) {
            EXPECT_EQ(findings, report) << file;
        }
        const json segments = diagnosisIn(documentFrom({"segments", "--quiet", "--json"}, file));
        if (!segments.is_null()) {
            EXPECT_EQ(segments, findings) << file;
        }
    }
}

TEST(SameDiagnosis, IsWhatRanksDiffAndAgentsSay)
{
    for (const char* const name : {"ranks", "runs/four-ranks-one-fails", "logs/r4-verl-slurm.err",
             "pytorch-snapshot/oom-fragmentation.pickle.zst", "kineto/tiny-addresses.pt.trace.json"}) {
        const std::string file = samplePath(name);
        const json findings = diagnosisIn(documentFrom({"findings", "--quiet", "--json"}, file));
        ASSERT_FALSE(findings.is_null()) << name;
        EXPECT_EQ(diagnosisForAgents(file), findings) << name;
        const json diff = documentFrom({"diff", "--quiet", "--json", file}, file);
        EXPECT_EQ(diagnosisIn(diff["before"]), findings) << name;
        EXPECT_EQ(diagnosisIn(diff["after"]), findings) << name;
        if (fs::is_directory(file)) {
            EXPECT_EQ(diagnosisIn(documentFrom({"ranks", "--quiet", "--json"}, file)), findings) << name;
        }
    }
}

TEST(SameDiagnosis, IsNeverCleanWhereAnythingCounts)
{
    std::vector<std::string> files = someOfEach();
    for (const char* const folder : {"logs/kinds", "logs/families", "foreign"})
        for (const std::string& name : test::sampleNames(folder))
            files.push_back(samplePath(name));
    for (const std::string& name : test::realFileNames("logs"))
        files.push_back(*test::realFilePath(name));
    for (const std::string& file : files) {
        const json document = documentFrom({"findings", "--quiet", "--json"}, file);
        const json diagnosis = diagnosisIn(document);
        if (diagnosis.is_null())
            continue; // refused, with another sentence
        const bool clears = diagnosis["class"] == "clean" || diagnosis["class"] == "nothing-examined";
        EXPECT_FALSE(clears && countedIn(documentFrom({"info", "--quiet", "--json"}, file)) > 0) << file;
        EXPECT_FALSE(clears && hasCertainFault(document["findings"])) << file;
        EXPECT_FALSE(diagnosis["class"] == "clean" && diagnosis["examined"].empty()) << file;
        EXPECT_FALSE(std::string(diagnosis["sentence"]).empty()) << file;
    }
}

TEST(SameDiagnosis, OfSourceCodeIsThatThereIsNothingToJudge)
{
    for (const char* const name : {"app/cli/main.cpp", "importers/log/log_reader.h",
             "importers/log/log_reader.cpp", "core/study/diagnosis/diagnosis.cpp",
             "tests/importers/log/oom_messages_test.cpp", "tests/CMakeLists.txt"}) {
        const auto run = runHighwater({"findings", "--quiet", "--json", test::sourcePath(name)});
        EXPECT_EQ(run.exitCode, 3) << name;
        EXPECT_EQ(diagnosisIn(parseJson(run.out)).value("class", ""), "nothing-examined") << name;
        EXPECT_NE(run.err.find("No GPU memory data in this file"), std::string::npos) << run.err;
    }
}

} // namespace highwater
