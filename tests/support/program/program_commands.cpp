#include "tests/support/program/program_commands.h"

#include "tests/support/sample_files.h"

namespace highwater::test {

namespace {

std::vector<ProgramCommand> exports()
{
    std::vector<ProgramCommand> commands;
    for (const char* what : {"events", "allocations", "curve", "steps", "stacks"})
        for (const char* ending : {".csv", ".json"})
            commands.push_back({std::string("export_") + what + "_" + (ending + 1), ending,
                {"export", "FILE", "--what", what, "-o", "OUT"}});
    for (const char* what : {"columns", "trace"})
        commands.push_back(
            {std::string("export_") + what, ".json", {"export", "FILE", "--what", what, "-o", "OUT"}});
    return commands;
}

std::vector<ProgramCommand> figures()
{
    std::vector<ProgramCommand> commands;
    for (const char* kind : {"timeline", "steps", "composition", "segments"})
        commands.push_back(
            {std::string("figure_") + kind, ".svg", {"figure", "FILE", "--kind", kind, "-o", "OUT"}});
    for (const char* kind : {"diff", "waterfall"})
        commands.push_back({std::string("figure_") + kind, ".svg",
            {"figure", "FILE", "OTHER", "--kind", kind, "-o", "OUT"}});
    return commands;
}

std::vector<ProgramCommand> makeWriting()
{
    std::vector<ProgramCommand> commands = exports();
    for (ProgramCommand& figure : figures())
        commands.push_back(std::move(figure));
    for (const char* ending : {".html", ".md", ".json"})
        commands.push_back({std::string("report_") + (ending + 1), ending, {"report", "FILE", "-o", "OUT"}});
    commands.push_back({"report_before", ".html", {"report", "FILE", "--before", "OTHER", "-o", "OUT"}});
    commands.push_back({"convert", ".hwt", {"convert", "FILE", "-o", "OUT"}});
    commands.push_back({"cut", ".pickle", {"cut", "FILE", "-o", "OUT"}});
    commands.push_back({"export_tables", ".sqlite", {"export", "FILE", "--what", "tables", "-o", "OUT"}});
    return commands;
}

} // namespace

const std::vector<ProgramCommand>& printingCommands()
{
    static const std::vector<ProgramCommand> commands{
        {"info", "", {"info", "FILE"}},
        {"info_json", "", {"info", "FILE", "--json", "--hash"}},
        {"peaks", "", {"peaks", "FILE"}},
        {"findings", "", {"findings", "FILE"}},
        {"segments", "", {"segments", "FILE"}},
        {"diff", "", {"diff", "FILE", "OTHER"}},
        {"sweep", "", {"diff", "FILE", "OTHER", "FILE"}},
        {"what_if", "", {"what-if", "FILE"}},
        {"budget", "", {"budget", "--config", samplePath("budget/r1-grpo.yaml"), "FILE"}},
        {"check", "", {"check", "FILE", "--max-peak", "1TiB"}},
        {"bench", "", {"bench", "FILE"}},
    };
    return commands;
}

const std::vector<ProgramCommand>& writingCommands()
{
    static const std::vector<ProgramCommand> commands = makeWriting();
    return commands;
}

const std::vector<ProgramCommand>& allCommands()
{
    static const std::vector<ProgramCommand> commands = [] {
        std::vector<ProgramCommand> all = printingCommands();
        all.insert(all.end(), writingCommands().begin(), writingCommands().end());
        return all;
    }();
    return commands;
}

Words wordsOf(
    const ProgramCommand& command, const std::string& file, const std::string& other, const std::string& out)
{
    Words words = command.words;
    for (std::string& word : words)
        word = word == "FILE" ? file
            : word == "OTHER" ? (other.empty() ? file : other)
            : word == "OUT"   ? out + command.ending
                              : word;
    return words;
}

} // namespace highwater::test
