// Checks that the manual names every option and every JSON key that the program prints.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

using nlohmann::json;
using test::runHighwater;
using test::samplePath;
using test::snapshotPath;

namespace {

using WordSet = std::set<std::string>;

bool isWordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Adds the words between backticks.
void addCodeWords(std::string_view text, WordSet& words)
{
    bool isCode = false;
    std::string word;
    for (const char c : text) {
        if (isCode && isWordCharacter(c)) {
            word += c;
            continue;
        }
        if (!word.empty())
            words.insert(std::move(word));
        word.clear();
        isCode = isCode != (c == '`');
    }
}

/// Returns the code words of a manual page by the heading above them.
std::map<std::string, WordSet> sectionsOf(const std::string& page)
{
    std::map<std::string, WordSet> sections;
    std::istringstream lines(
        test::readWholeFile(std::filesystem::path(HIGHWATER_SOURCE_DIR) / "resources" / "manual" / page));
    std::string heading;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## "))
            heading = line.substr(3);
        addCodeWords(line, sections[heading]);
    }
    return sections;
}

/// Adds the keys of a document. Names that come from the file (its settings, its actions) are not ours, nor
/// are category names.
void addKeys(const json& document, WordSet& keys)
{
    static const WordSet namedByFile
        = {"producer", "settings", "actions", "found_by", "categories", "told_by"};
    if (document.is_array())
        for (const json& item : document)
            addKeys(item, keys);
    if (!document.is_object())
        return;
    for (const auto& [key, value] : document.items()) {
        keys.insert(key);
        if (!value.is_object() || !namedByFile.contains(key))
            addKeys(value, keys);
    }
}

const std::string kAnnotated = snapshotPath("training-6-steps-annotated");
const std::string kVocabularyBefore = snapshotPath("r3-vocabulary-before");
const std::string kVocabularyAfter = snapshotPath("r3-vocabulary-after");
const std::string kOutOfMemory = snapshotPath("oom-fragmentation");
const std::string kLogBefore = samplePath("logs/r4-verl-before.err");
const std::string kLogAfter = samplePath("logs/r4-verl-after.err");
const std::string kConfig = samplePath("budget/r3-vocabulary.yaml");

/// Commands whose outputs together contain every key. The first word is also the heading in the manual.
const std::vector<std::vector<std::string>> kCommandsWithEveryKey = {
    {"info", samplePath("ranks"), samplePath("logs"), samplePath("nsys"), samplePath("kineto"), "--hash"},
    {"info", kOutOfMemory, "/nowhere"},
    {"peaks", kAnnotated, "--group", "size", "--config", kConfig},
    {"peaks", snapshotPath("gradient-accumulation"), "--group", "category"},
    {"peaks", snapshotPath("gradient-accumulation"), "--group", "module"},
    {"peaks", snapshotPath("oom-too-big")},
    {"findings", kOutOfMemory, kLogBefore, "/nowhere"},
    {"findings", snapshotPath("r1-grpo-before"), "--gpu", "L4"},
    {"info", snapshotPath("ring-buffer-overflow")},
    {"segments", kOutOfMemory},
    {"segments", snapshotPath("tiny-hand-checked"), "--address", "0x7f3a00600000"},
    {"segments", snapshotPath("two-streams-record-stream")},
    {"what-if", kOutOfMemory},
    {"what-if", kOutOfMemory, "--set", "expandable_segments=true"},
    {"diff", kVocabularyBefore, kVocabularyAfter},
    {"diff", snapshotPath("r1-grpo-before"), snapshotPath("r1-grpo-after")},
    {"diff", snapshotPath("clean-attention"), snapshotPath("fault-autocast")},
    {"diff", snapshotPath("r5-flan-t5-xl-before"), snapshotPath("r5-flan-t5-xl-after")},
    {"diff", snapshotPath("fault-attention"), snapshotPath("clean-attention")},
    {"diff", snapshotPath("fault-cache-flush"), snapshotPath("clean-rounding")},
    {"diff", kVocabularyBefore, snapshotPath("clean-growth")},
    {"diff", kLogBefore, kLogAfter},
    {"diff", kVocabularyBefore, kVocabularyAfter, kLogBefore},
    {"budget", kVocabularyBefore, "--config", kConfig, "--what-if", "batch=1,2"},
    {"budget", "--config", samplePath("budget/r1-grpo.yaml")},
    {"check", kAnnotated, "/nowhere", "--max-peak", "1TiB", "--max-growth-per-step", "1TiB"},
    {"report", kVocabularyAfter, "--before", kVocabularyBefore, "-o", "-"},
    {"export", kAnnotated, "--what", "events", "-o", "-"},
    {"export", kAnnotated, "--what", "allocations", "-o", "-"},
    {"export", kAnnotated, "--what", "curve", "-o", "-"},
    {"export", kAnnotated, "--what", "steps", "-o", "-"},
    {"export", kAnnotated, "--what", "stacks", "-o", "-"},
    {"export", snapshotPath("ring-buffer-overflow"), "--what", "columns", "--mode", "site", "-o", "-"},
    {"export", samplePath("long/thousand-steps.pickle.zst"), "--what", "columns", "--mode", "site", "-o",
        "-"},
    {"export", kLogBefore, "--what", "curve", "-o", "-"},
    {"export", samplePath("kineto/tiny-addresses.pt.trace.json"), "--what", "allocations", "-o", "-"},
    {"export", samplePath("nsys/training-3.7.2.sqlite"), "--what", "allocations", "-o", "-"},
    {"cut", snapshotPath("tiny-hand-checked"), "-o",
        (std::filesystem::temp_directory_path() / "highwater-manual-keys.pickle").string(), "--force"},
    {"bench", snapshotPath("tiny-hand-checked")},
    {"ranks", samplePath("ranks"), kOutOfMemory, snapshotPath("fault-growth"), "/nowhere", "--steps"},
};

json documentOf(std::vector<std::string> arguments)
{
    arguments.push_back("--json");
    const test::ProgramRun run = runHighwater(arguments);
    json document = parseJson(run.out);
    EXPECT_FALSE(document.is_discarded()) << arguments.front() << ": " << run.err;
    if (arguments.front() == "report") // everything else has its own schema
        for (auto& [key, value] : document.items())
            value = nullptr;
    return document;
}

void expectNamed(const std::string& command, const json& document)
{
    static const std::map<std::string, WordSet> manual = sectionsOf("json.md");
    const auto section = manual.find(command);
    ASSERT_NE(section, manual.end()) << "no heading for " << command << " in resources/manual/json.md";
    WordSet keys;
    addKeys(document, keys);
    EXPECT_FALSE(keys.empty()) << command;
    for (const std::string& key : keys)
        EXPECT_TRUE(section->second.contains(key) || manual.at("Shared keys").contains(key))
            << "resources/manual/json.md, " << command << ", does not name `" << key << '`';
}

WordSet optionsIn(const std::string& help)
{
    WordSet options;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  -"))
            continue;
        const std::size_t begin = line.find("--");
        if (begin == std::string::npos) // -h
            continue;
        std::size_t end = begin;
        while (end < line.size() && isWordCharacter(line[end]))
            ++end;
        options.insert(line.substr(begin, end - begin));
    }
    return options;
}

/// Returns the commands that the help lists in groups, from "Look:" to "Options:".
WordSet subcommandsIn(const std::string& help)
{
    WordSet commands;
    const std::size_t begin = help.find("\nLook:");
    std::istringstream lines(help.substr(begin, help.find("\nOptions:", begin) - begin));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
            commands.insert(line.substr(2, line.find(' ', 2) - 2));
    return commands;
}

/// Returns the texts quoted before a colon: `"peak_bytes": 0`.
WordSet quotedKeys(const std::string& text)
{
    WordSet keys;
    for (std::size_t colon = text.find("\":"); colon != std::string::npos;
         colon = text.find("\":", colon + 1)) {
        std::size_t begin = colon;
        while (begin > 0 && isWordCharacter(text[begin - 1]))
            --begin;
        if (begin < colon && begin > 0 && text[begin - 1] == '"')
            keys.insert(text.substr(begin, colon - begin));
    }
    return keys;
}

} // namespace

TEST(ManualKeys, NameEveryKeyThatIsPrinted)
{
    for (const std::vector<std::string>& arguments : kCommandsWithEveryKey)
        expectNamed(arguments.front(), documentOf(arguments));
}

/// Returns the keys that a section of json.md documents: the first column of its tables, and every word that
/// ends in a unit.
WordSet documentedKeys(const std::string& heading)
{
    static const std::regex unit("[a-z_]+_(bytes|blocks|event|events|count|us|ns|step)");
    std::istringstream lines(
        test::readWholeFile(std::filesystem::path(HIGHWATER_SOURCE_DIR) / "resources/manual/json.md"));
    WordSet keys;
    bool isInside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## "))
            isInside = line.substr(3) == heading;
        if (!isInside)
            continue;
        WordSet all;
        addCodeWords(line, all);
        for (const std::string& word : all)
            if (std::regex_match(word, unit))
                keys.insert(word);
        if (line.starts_with("| `"))
            addCodeWords(line.substr(0, line.find(" | ", 2)), keys);
    }
    return keys;
}

TEST(ManualKeys, AreAllPrintedBySomeCommand)
{
    std::map<std::string, WordSet> printed;
    for (const std::vector<std::string>& arguments : kCommandsWithEveryKey)
        addKeys(documentOf(arguments), printed[arguments.front()]);
    printed.erase("report"); // checked against its schema
    // Keys of files that are cut off (see below), and of runs that command_diff_test creates.
    for (const char* elsewhere :
        {"cut_off", "each_bytes", "half_of_parameters", "in_place_of", "replaced_by"})
        for (auto& [command, keys] : printed)
            keys.insert(elsewhere);
    for (const auto& [command, keys] : printed)
        for (const std::string& key : documentedKeys(command))
            EXPECT_TRUE(keys.contains(key)) << "resources/manual/json.md, " << command << ", names `" << key
                                            << "`, which no output of this test has";
}

TEST(ManualKeys, NameEveryKeyOfASummary)
{
    const test::TemporaryFolder folder;
    expectNamed(
        "summarize", documentOf({"summarize", kOutOfMemory, "-o", (folder.path() / "a.hws").string()}));
}

TEST(ManualKeys, NameEveryKeyOfAFileThatIsCutOff)
{
    const std::string bytes
        = test::readDecompressed(samplePath("pytorch-snapshot/training-6-steps-bare.pickle.zst"));
    const test::TemporaryFolder folder;
    for (const std::size_t percent : {5, 70}) {
        const std::string path = folder.write("cut.pickle", bytes.substr(0, bytes.size() * percent / 100));
        for (const char* command : {"info", "peaks", "findings", "segments"})
            expectNamed(command, documentOf({command, path}));
        expectNamed("check", documentOf({"check", path, "--max-reserved", "1TiB"}));
    }
}

TEST(ManualKeys, NameWhatTellsAFigureFromAGuess)
{
    const json segments = documentOf({"segments", kOutOfMemory});
    for (const char* key : {"segment_events", "skipped_actions"})
        EXPECT_TRUE(segments.contains(key)) << key;
    for (const char* key : {"pool_id", "pool_recorded"})
        EXPECT_TRUE(segments["pools"][0].contains(key)) << key;
    const json whatIf = documentOf({"what-if", kOutOfMemory});
    for (const char* key : {"recorded_options", "assumptions"})
        EXPECT_TRUE(whatIf.contains(key)) << key;
    EXPECT_TRUE(documentOf({"peaks", kAnnotated})["live"].contains("at_least"));
}

TEST(ManualKeys, NameEveryKeyOfTheContract)
{
    const char* const path = std::getenv("HIGHWATER_CONTRACT");
    if (!path || !*path)
        GTEST_SKIP() << "skipped: HIGHWATER_CONTRACT names no file";
    WordSet named;
    for (const char* page : {"json.md", "command-line.md"})
        for (const auto& [heading, words] : sectionsOf(page))
            named.insert(words.begin(), words.end());
    const WordSet keys = quotedKeys(test::readWholeFile(path));
    EXPECT_GT(keys.size(), 50u) << path;
    for (const std::string& key : keys)
        EXPECT_TRUE(named.contains(key)) << "resources/manual does not name `" << key << '`';
}

TEST(ManualOptions, NameEveryOptionOfEveryCommand)
{
    const std::map<std::string, WordSet> manual = sectionsOf("command-line.md");
    const WordSet commands = subcommandsIn(runHighwater({"--help"}).out);
    EXPECT_GT(commands.size(), 10u);
    for (const std::string& command : commands) {
        const auto section = manual.find(command);
        if (section == manual.end()) {
            ADD_FAILURE() << "no heading for " << command << " in resources/manual/command-line.md";
            continue;
        }
        for (const std::string& option : optionsIn(runHighwater({command, "--help"}).out))
            EXPECT_TRUE(section->second.contains(option) || manual.at("All commands").contains(option))
                << "resources/manual/command-line.md, " << command << ", does not name `" << option << '`';
    }
}

} // namespace highwater::cli
