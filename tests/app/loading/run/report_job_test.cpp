#include "app/loading/run/report_job.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "app/loading/files/workspace_store.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;
using test::samplePath;

namespace {

const char* const kBefore = "pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst";
const char* const kAfter = "pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst";
const char* const kConfiguration = "budget/r5-flan-t5-xl.yaml";

WorkspaceSource sourceOf(const std::string& path, NoteRun role)
{
    WorkspaceSource source;
    source.file = referenceTo(path);
    source.role = role;
    source.isShown = true;
    return source;
}

/// Returns a workspace with two runs in which every option of their report is set.
WorkspaceFile fullWorkspace()
{
    WorkspaceFile file;
    file.sources
        = {sourceOf(samplePath(kBefore), NoteRun::Before), sourceOf(samplePath(kAfter), NoteRun::After)};
    file.sources[0].device = "cuda:0";
    file.sources[1].capacity = 48 * kGiB;
    file.sources[1].gpu = "RTX 6000";
    file.configuration = referenceTo(samplePath(kConfiguration));
    file.steps.markers = {5, 9};
    file.rules.resize(1);
    file.rules[0].frames = "forward";
    file.rules[0].category = Category::Activation;
    file.notes.resize(2);
    file.report = {"pull-request", {"notes", "summary"}, "Of the workspace", true};
    return file;
}

class ReportJobTest : public testing::Test
{
protected:
    /// Returns the job with the additions from the workspace.
    ReportJob with(const WorkspaceFile& file, ReportJob job = {})
    {
        EXPECT_TRUE(saveWorkspace(path, file));
        const Result<std::vector<std::string>> warnings = addWorkspace(job, path);
        EXPECT_TRUE(warnings && warnings->empty());
        return job;
    }

    test::TemporaryFolder folder;
    std::string path = (folder.path() / "w.highwater").string();
};

} // namespace

TEST_F(ReportJobTest, TakesAllOfAWorkspaceWhereNothingElseIsSaid)
{
    const ReportJob job = with(fullWorkspace());
    EXPECT_EQ(job.before.paths, std::vector<std::string>{samplePath(kBefore)});
    EXPECT_EQ(job.run.paths, std::vector<std::string>{samplePath(kAfter)});
    EXPECT_EQ(job.run.shown, samplePath(kAfter));
    EXPECT_EQ(job.before.device, "cuda:0");
    EXPECT_FALSE(job.run.device);
    ASSERT_TRUE(job.run.capacity);
    EXPECT_EQ(job.run.capacity->bytes, 48 * kGiB);
    EXPECT_EQ(job.run.capacity->gpu, "RTX 6000");
    EXPECT_EQ(job.run.configuration, samplePath(kConfiguration));
    EXPECT_EQ(job.load.steps.markers, (std::vector<std::int64_t>{5, 9}));
    EXPECT_EQ(job.load.rules.size(), 1u);
    EXPECT_EQ(job.notes.size(), 2u);
    EXPECT_EQ(job.notesSource, path);
    EXPECT_EQ(job.kind, ReportTemplate::PullRequest);
    EXPECT_EQ(job.parts, (std::vector{ReportPart::NoteList, ReportPart::Summary}));
    EXPECT_EQ(job.title, "Of the workspace");
    EXPECT_TRUE(job.stripPaths);
}

TEST_F(ReportJobTest, KeepsWhatWasSaidBefore)
{
    ReportJob said;
    said.run.configuration = "mine.yaml";
    said.before.paths = {"mine.pickle"};
    said.load.rules.resize(3);
    said.notesSource = "mine.json";
    said.title = "Mine";
    said.parts = {ReportPart::Peak};
    const ReportJob job = with(fullWorkspace(), said);
    EXPECT_EQ(job.run.configuration, "mine.yaml");
    EXPECT_EQ(job.before.paths, std::vector<std::string>{"mine.pickle"});
    EXPECT_EQ(job.run.paths, std::vector<std::string>{samplePath(kAfter)});
    EXPECT_EQ(job.load.rules.size(), 3u);
    EXPECT_TRUE(job.notes.empty());
    EXPECT_EQ(job.title, "Mine");
    EXPECT_EQ(job.parts, std::vector{ReportPart::Peak});
    EXPECT_EQ(job.kind, ReportTemplate::PullRequest);
}

TEST_F(ReportJobTest, TakesNoSectionsOfAnotherTemplate)
{
    ReportJob said;
    said.kind = ReportTemplate::Incident;
    const ReportJob job = with(fullWorkspace(), said);
    EXPECT_EQ(job.kind, ReportTemplate::Incident);
    EXPECT_TRUE(job.parts.empty());
}

TEST_F(ReportJobTest, TakesNoFilesOfAWorkspaceWhereItHasItsOwn)
{
    ReportJob said;
    said.run.paths = {"mine.pickle"};
    const ReportJob job = with(fullWorkspace(), said);
    EXPECT_EQ(job.run.paths, said.run.paths);
    EXPECT_FALSE(job.hasTwoRuns());
    EXPECT_TRUE(job.run.configuration.empty());
    EXPECT_EQ(job.title, "Of the workspace");
}

TEST_F(ReportJobTest, TellsFilesThatAreMissing)
{
    WorkspaceFile file = fullWorkspace();
    file.sources.push_back(sourceOf(folder.write("gone.log", "step 1"), NoteRun::Before));
    fs::remove(folder.path() / "gone.log");
    const ReportJob job = with(file);
    ASSERT_EQ(job.before.unusable.size(), 1u);
    EXPECT_EQ(job.before.unusable[0].path, (folder.path() / "gone.log").string());
    EXPECT_FALSE(job.before.unusable[0].error.empty());
}

TEST_F(ReportJobTest, HasTheTemplateThatSuitsTheRuns)
{
    WorkspaceFile file = fullWorkspace();
    file.report.kind.clear();
    ReportJob job = with(file);
    Runs runs;
    EXPECT_EQ(reportRequest(job, runs).options.kind, ReportTemplate::Incident);
    runs.before.emplace();
    EXPECT_EQ(reportRequest(job, runs).options.kind, ReportTemplate::BeforeAfter);
}

TEST_F(ReportJobTest, DescribesBothRunsWithOneConfiguration)
{
    ReportJob job;
    job.before.paths = {samplePath(kBefore)};
    job.run.paths = {samplePath(kAfter)};
    job.run.configuration = samplePath(kConfiguration);
    const Result<Runs> runs = readRuns(job);
    ASSERT_TRUE(runs);
    EXPECT_TRUE(runs->run.study->parts().shape);
    EXPECT_TRUE(runs->before->study->parts().shape);
    EXPECT_EQ(runs->before->study->parts().capacity, runs->run.study->parts().capacity);
    EXPECT_EQ(runs->before->study->parts().settings.size(), runs->run.study->parts().settings.size());
}

TEST_F(ReportJobTest, DescribesTheRunBeforeWithItsOwnConfigurationWhereItHasOne)
{
    ReportJob job;
    job.before.paths = {samplePath(kBefore)};
    job.run.paths = {samplePath(kAfter)};
    job.run.configuration = samplePath(kConfiguration);
    job.before.configuration = folder.write("before.yaml", "learning_rate: 0.1\n");
    const Result<Runs> runs = readRuns(job);
    ASSERT_TRUE(runs);
    EXPECT_TRUE(runs->run.study->parts().shape);
    EXPECT_FALSE(runs->before->study->parts().shape);
    EXPECT_EQ(runs->before->warnings.size(), 1u);
    EXPECT_EQ(runs->before->study->parts().settings.size(), 1u);
}

TEST_F(ReportJobTest, HidesNoDifferenceThatTheRunsRecordBehindOneConfiguration)
{
    ReportJob job;
    job.before.paths = {samplePath("logs/r4-verl-before.err")};
    job.run.paths = {samplePath("logs/r4-verl-after.err")};
    job.run.configuration
        = folder.write("run.yaml", "data:\n  train_batch_size: 512\n  said_here_alone: 3\n");
    const Result<Runs> runs = readRuns(job);
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->run.study->parts().settings.size(), 2u);
    ASSERT_EQ(runs->before->study->parts().settings.size(), 1u);
    EXPECT_EQ(runs->before->study->parts().settings[0].name, "data.said_here_alone");
    EXPECT_EQ(runs->run.warnings.size(), 1u);
    EXPECT_TRUE(runs->before->warnings.empty()) << "it is said once";
}

TEST_F(ReportJobTest, FailsWithAConfigurationOfARunBeforeThatIsNotThere)
{
    ReportJob job;
    job.run.paths = {samplePath(kAfter)};
    job.before.configuration = samplePath(kConfiguration);
    const Result<Runs> runs = readRuns(job);
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().code, ErrorCode::BadRequest);
}

} // namespace highwater
