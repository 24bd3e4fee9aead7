#include <filesystem>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;

namespace {

const std::string kExported = samplePath(test::kFragmentedSample);
const std::string kWithSteps = samplePath(test::kStepsSample);

using Row = std::vector<std::string>;

/// The database that `export --what tables` writes.
class Exported
{
public:
    explicit Exported(const std::string& file, const std::vector<std::string>& options = {})
    {
        const std::string path = (m_folder.path() / "run.sqlite").string();
        std::vector<std::string> arguments = {"export", file, "--what", "tables", "-o", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const test::ProgramRun run = runHighwater(arguments);
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(::sqlite3_open_v2(path.c_str(), &m_handle, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    }
    ~Exported() { ::sqlite3_close_v2(m_handle); }
    Exported(const Exported&) = delete;
    Exported& operator=(const Exported&) = delete;

    /// Returns rows as texts; a missing value is "NULL".
    std::vector<Row> rows(const std::string& sql)
    {
        std::vector<Row> rows;
        sqlite3_stmt* statement = nullptr;
        EXPECT_EQ(::sqlite3_prepare_v2(m_handle, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
            << sql << ": " << ::sqlite3_errmsg(m_handle);
        while (::sqlite3_step(statement) == SQLITE_ROW) {
            Row row;
            for (int i = 0; i < ::sqlite3_column_count(statement); ++i) {
                const auto* const text = ::sqlite3_column_text(statement, i);
                row.emplace_back(text ? reinterpret_cast<const char*>(text) : "NULL");
            }
            rows.push_back(std::move(row));
        }
        ::sqlite3_finalize(statement);
        return rows;
    }
    std::string value(const std::string& sql)
    {
        const std::vector<Row> found = rows(sql);
        return found.empty() ? "" : found[0][0];
    }
    std::filesystem::path folder() const { return m_folder.path(); }

private:
    test::TemporaryFolder m_folder;
    sqlite3* m_handle = nullptr;
};

json exportedRows(const std::string& file, const std::string& what)
{
    return parseJson(
        runHighwater({"export", file, "--what", what, "--no-stacks", "-o", "-", "--json"}).out)[what];
}

std::string sqlText(const json& value)
{
    return value.is_null()   ? "NULL"
        : value.is_boolean() ? (value ? "1" : "0")
        : value.is_string()  ? value.get<std::string>()
                             : value.dump();
}

/// Returns the SQL queries in the manual, by the question that they answer.
std::map<std::string, std::string> questions()
{
    std::map<std::string, std::string> found;
    std::istringstream lines(test::readWholeFile(
        std::filesystem::path(HIGHWATER_SOURCE_DIR) / "resources" / "manual" / "sqlite.md"));
    std::string question;
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with('?'))
            question = line;
        if (line != "```sql")
            continue;
        while (std::getline(lines, line) && line != "```")
            found[question] += line + "\n";
    }
    return found;
}

} // namespace

TEST(ExportDatabase, HasTheRowsOfTheOtherExports)
{
    Exported database(kWithSteps, {"--no-stacks"});
    for (const char* what : {"events", "allocations", "curve", "steps"}) {
        const json expected = exportedRows(kWithSteps, what);
        const std::vector<Row> rows = database.rows(std::string("SELECT * FROM ") + what);
        ASSERT_EQ(rows.size(), expected.size()) << what;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Row cells;
            for (const json& value : expected[i])
                cells.push_back(sqlText(value));
            std::ranges::sort(cells); // nlohmann::json sorts its keys
            Row row = rows[i];
            std::ranges::sort(row);
            ASSERT_EQ(row, cells) << what << " " << i;
        }
    }
}

TEST(ExportDatabase, AnswersTheTenQuestionsOfTheManual)
{
    const std::map<std::string, std::string> asked = questions();
    EXPECT_EQ(asked.size(), 10u);
    Exported database(kExported);
    for (const auto& [question, sql] : asked)
        EXPECT_FALSE(database.rows(sql).empty()) << question;
}

TEST(ExportDatabase, TellsThePeakOfTheCommand)
{
    Exported database(kExported);
    const json live = parseJson(runHighwater({"peaks", kExported, "--json"}).out)["live"];
    EXPECT_EQ(database.value("SELECT value FROM run WHERE key = 'peak_bytes'"), live["bytes"].dump());
    for (const char* key : {"site", "category", "function", "file", "size", "stream", "pool"})
        EXPECT_EQ(database.value(std::string("SELECT sum(bytes) FROM peak WHERE grouped_by = '") + key + "'"),
            live["bytes"].dump())
            << key;
}

TEST(ExportDatabase, TellsTheLiveBytesAtEveryEventByItsAllocations)
{
    Exported database(kExported);
    EXPECT_EQ(
        database.value("SELECT count(*) FROM curve c WHERE requested_bytes != (SELECT "
                       "coalesce(sum(requested_bytes), 0) FROM allocations WHERE alloc_event <= c.event "
                       "AND (free_event IS NULL OR free_event > c.event))"),
        "0");
}

TEST(ExportDatabase, HasTheSegmentsOfTheCommand)
{
    Exported database(kExported);
    const json segments = parseJson(runHighwater({"segments", kExported, "--json"}).out);
    EXPECT_EQ(database.value("SELECT sum(bytes) FROM segments"), segments["reserved_bytes"].dump());
    EXPECT_EQ(database.value("SELECT sum(free_bytes) FROM segments"), segments["free_bytes"].dump());
    EXPECT_EQ(database.value("SELECT sum(bytes) FROM blocks"), segments["reserved_bytes"].dump());
    EXPECT_EQ(database.value("SELECT max(event) FROM segments"), segments["event"].dump());
}

TEST(ExportDatabase, HasTheFindingsOfTheCommandInTheirOrder)
{
    Exported database(kExported);
    const json findings = parseJson(runHighwater({"findings", kExported, "--json"}).out)["findings"];
    const std::vector<Row> rows = database.rows("SELECT rank, rule, bytes FROM findings");
    ASSERT_EQ(rows.size(), findings.size());
    for (const json& finding : findings)
        EXPECT_EQ(rows[finding["rank"].get<std::size_t>() - 1],
            (Row{finding["rank"].dump(), finding["rule"], finding["bytes"].dump()}));
}

TEST(ExportDatabase, HasTheFramesOfEveryStack)
{
    Exported database(kExported);
    EXPECT_EQ(database.value("SELECT count(*) FROM events WHERE stack_id IS NOT NULL AND stack_id NOT IN "
                             "(SELECT stack_id FROM frames)"),
        "0");
    Exported without(kExported, {"--no-stacks"});
    EXPECT_EQ(without.value("SELECT count(*) FROM sqlite_master WHERE name = 'frames'"), "0");
}

TEST(ExportDatabase, LeavesNothingElseInTheFolder)
{
    Exported database(kExported);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(database.folder()))
        ++files;
    EXPECT_EQ(files, 1u);
}

TEST(ExportDatabase, WantsANameThatSaysSo)
{
    for (const char* out : {"run.csv", "-", "run"})
        EXPECT_EQ(runHighwater({"export", kExported, "--what", "tables", "-o", out}).exitCode, 2) << out;
}

TEST(ExportDatabase, HasTheEndingOfADatabaseForEachOfSeveralFiles)
{
    const test::TemporaryFolder folder;
    const test::ProgramRun run = runHighwater(
        {"export", kExported, kWithSteps, "--what", "tables", "--json", "-o", folder.path().string()});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    int databases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        databases += entry.path().extension() == ".sqlite";
    EXPECT_EQ(databases, 2);
}

} // namespace highwater
