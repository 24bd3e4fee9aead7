#include "importers/registry/open_trace.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/dump/trace_dump.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::importBytes;

namespace {

struct ContentAndSentence
{
    std::string content;
    std::string sentence;
};

struct ProgressRecorder : ProgressSink
{
    void progressed(std::uint64_t done, std::uint64_t total) override
    {
        EXPECT_GE(done, last);
        last = done;
        lastTotal = total;
    }
    std::uint64_t last = 0;
    std::uint64_t lastTotal = 0;
};

} // namespace

class UnknownContent : public testing::TestWithParam<ContentAndSentence>
{
};

TEST_P(UnknownContent, IsRefusedInOneSentence)
{
    const Result<ImportedTrace> imported = importBytes(GetParam().content);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::UnknownFormat);
    EXPECT_EQ(imported.error().message, GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(Contents, UnknownContent,
    testing::Values(ContentAndSentence{"", "is empty"},
        ContentAndSentence{"PK\x03\x04zip", "is a zip archive; unpack it first"},
        ContentAndSentence{std::string("\x01\x00\x02", 3), "has an unrecognized format"},
        ContentAndSentence{"<html><body>hi</body></html>",
            "is a web page without an embedded memory snapshot (perhaps an error or login page); download "
            "the file itself"}));

TEST(OpenTrace, TellsAMissingFile)
{
    const test::TemporaryFolder folder;
    const auto imported = openTrace((folder.path() / "none").string(), {});
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::CannotRead);
}

TEST(OpenTrace, CountsTheBytesOfTheFileItself)
{
    const std::string path = test::samplePath("encodings/tiny.pickle.gz");
    EXPECT_EQ(openTrace(path, {})->fileBytes, test::readWholeFile(path).size());
}

TEST(OpenTrace, NamesItsContainersOutermostFirst)
{
    EXPECT_EQ(openTrace(test::samplePath("encodings/tiny-protocol-4.pickle"), {})->containers,
        std::vector<std::string>{});
    EXPECT_EQ(openTrace(test::samplePath("encodings/tiny.pickle.gz"), {})->containers,
        std::vector<std::string>{"gzip"});
    EXPECT_EQ(openTrace(test::samplePath("encodings/tiny.pickle.zst"), {})->containers,
        std::vector<std::string>{"zstd"});
    EXPECT_EQ(
        openTrace(test::samplePath("encodings/tiny.html"), {})->containers, std::vector<std::string>{"html"});
}

TEST(OpenTrace, IsCancelledBeforeItBegins)
{
    ImportOptions options;
    options.stop.requestStop();
    const auto imported = openTrace(test::samplePath("encodings/tiny-protocol-4.pickle"), options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Cancelled);
}

class CancelledOnTheWay : public testing::TestWithParam<const char*>
{
};

TEST_P(CancelledOnTheWay, GivesNoTrace)
{
    struct StopAfterFirst : ProgressSink
    {
        explicit StopAfterFirst(StopToken token)
            : stop(std::move(token))
        {
        }
        void progressed(std::uint64_t, std::uint64_t) override { stop.requestStop(); }
        StopToken stop;
    };
    ImportOptions options;
    StopAfterFirst sink(options.stop);
    options.progress = &sink;
    // With pieces of one byte, cancellation is noticed long before the end.
    const auto imported = importBytes(test::readWholeFile(test::samplePath(GetParam())), 1, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Cancelled);
}

INSTANTIATE_TEST_SUITE_P(
    Encodings, CancelledOnTheWay, testing::Values("encodings/tiny.json", "encodings/tiny-protocol-0.pickle"));

TEST(OpenTrace, ReportsProgressUpToTheWholeFile)
{
    for (const char* name : {"encodings/tiny-protocol-4.pickle", "encodings/tiny.pickle.zst",
             "encodings/tiny.json", "encodings/tiny.html", "pytorch-snapshot/r1-grpo-after.pickle.zst"}) {
        ProgressRecorder recorder;
        ImportOptions options;
        options.progress = &recorder;
        const auto imported = openTrace(test::samplePath(name), options);
        ASSERT_TRUE(imported);
        EXPECT_EQ(recorder.last, imported->fileBytes) << name;
        EXPECT_EQ(recorder.lastTotal, imported->fileBytes) << name;
    }
}

TEST(OpenTrace, StopsAtTheLimitOfDecompressedBytes)
{
    ImportOptions options;
    options.maxInflateBytes = 4096;
    const auto imported = openTrace(test::samplePath("encodings/tiny.pickle.zst"), options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(test::hasParts(imported.error().message, {"more than 4 KiB", "--max-inflate"}));
}

TEST(OpenTrace, ReadsTheSameInPiecesOfAnySize)
{
    const std::string bytes = test::readWholeFile(test::samplePath("encodings/tiny-protocol-4.pickle"));
    const std::string whole = dumpTrace(*importBytes(bytes)->trace);
    for (const std::size_t piece : {1u, 7u, 1000u})
        EXPECT_EQ(dumpTrace(*importBytes(bytes, piece)->trace), whole);
}

TEST(OpenTrace, WrapsTheStreamWhereItIsAskedTo)
{
    bool wrapped = false;
    ImportOptions options;
    options.readAhead = [&](std::unique_ptr<ByteSource> source) {
        wrapped = true;
        return source;
    };
    EXPECT_TRUE(openTrace(test::samplePath("encodings/tiny.pickle.gz"), options));
    EXPECT_TRUE(wrapped);
}

TEST(OpenTrace, NamesTheFileThatItRead)
{
    const std::string path = test::samplePath("encodings/tiny.pickle.gz");
    const auto imported = openTrace(path, {});
    ASSERT_TRUE(imported);
    EXPECT_TRUE(imported->file);
    EXPECT_EQ(imported->file, identityAt(path));
}

TEST(OpenTrace, NamesNoFileWhereItWasReplacedMeanwhile)
{
    const test::TemporaryFolder folder;
    const std::string bytes = test::readWholeFile(test::samplePath("encodings/tiny-protocol-4.pickle"));
    const std::string path = folder.write("a.pickle", bytes);
    ImportOptions options;
    options.readAhead = [&](std::unique_ptr<ByteSource> source) {
        std::filesystem::rename(folder.write("b.pickle", bytes), path);
        return source;
    };
    const auto imported = openTrace(path, options);
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->file);
}

TEST(OpenTrace, NamesNoFileWhereItGrewMeanwhile)
{
    const test::TemporaryFolder folder;
    const std::string path
        = folder.write("a.pickle", test::readWholeFile(test::samplePath("encodings/tiny-protocol-4.pickle")));
    ImportOptions options;
    options.readAhead = [&](std::unique_ptr<ByteSource> source) {
        std::filesystem::resize_file(path, std::filesystem::file_size(path) + 1);
        return source;
    };
    EXPECT_FALSE(openTrace(path, options)->file);
}

} // namespace highwater
