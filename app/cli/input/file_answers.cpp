#include "app/cli/input/file_answers.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/input/run_input.h"
#include "app/loading/input_paths.h"
#include "app/loading/run/main_candidate.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/report/json/run_json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// True for a file without allocations, such as a log, that the user did not name but that a folder
/// contains.
bool isLogInFolder(const CommonOptions& options, const LoadedInput& input)
{
    return input.imported && !recordsAllocations(*input.imported->trace)
        && std::ranges::count(options.files, input.path) == 0;
}

using UseOfInput = std::function<void(const LoadedInput&)>;

/// Calls `answer` for each input that could be read, `onLog` for logs in folders, and `onFailure` for inputs
/// that could not be read or whose answer ended with a Refusal, after their error is printed. Returns the
/// worst exit code.
int forEachReadable(const CommonOptions& options, const UseOfInput& answer,
    const std::function<void(const std::string&, const Error&)>& onFailure, const UseOfInput& onLog)
{
    int worst = Done;
    const int loaded = forEachInput(options, [&](const LoadedInput& input) {
        if (isLogInFolder(options, input)) {
            onLog(input);
            return;
        }
        if (!input.imported) { // already reported on stderr
            onFailure(input.path, input.imported.error());
            return;
        }
        try {
            answer(input);
        } catch (const Refusal& refusal) {
            printError(refusal.subject, refusal.error);
            worst = worse(worst, refusal.exitCode);
            onFailure(input.path, refusal.error);
        }
    });
    return worse(loaded, worst);
}

/// Finds the main file among the files that were read.
class MainFileFinder
{
public:
    MainFileFinder(const CommonOptions& options, const FileCommand& command)
        : m_command(command)
        , m_keeper(options.rank)
    {
    }

    void add(const LoadedInput& input)
    {
        m_keeper.add(mainCandidate(input.path, *input.imported->trace, m_command.device));
    }
    /// Returns the "run" of a document; null if no file can be the main one. Ends the command if no file has
    /// the requested rank.
    Json run(const CommonOptions& options) const
    {
        const std::optional<MainChoice> choice = m_keeper.choice();
        if (!choice && options.rank && !m_keeper.files().empty())
            throw Refusal{options.files.front(), noSuchRank(*options.rank, m_keeper.files())};
        return choice ? runJson(runMain(m_keeper.files(), *choice)) : Json(nullptr);
    }

private:
    const FileCommand& m_command;
    IncrementalMainChoice m_keeper;
};

void addDiagnosis(const CommonOptions& options, const FileCommand& command, Json& document)
{
    if (command.diagnoses)
        putDiagnosisFirst(document, diagnosisOfRun(options, {options.files, command.device}));
}

int printDocumentOfOne(const CommonOptions& options, const FileCommand& command)
{
    const LoadedInput input = needInput(options.files.front(), options);
    MainFileFinder finder(options, command);
    Json document = command.document(input);
    finder.add(input);
    document["run"] = finder.run(options);
    addDiagnosis(options, command, document);
    printDocument(document);
    return exitCodeOf(input);
}

int printDocuments(const CommonOptions& options, const FileCommand& command)
{
    MainFileFinder finder(options, command);
    Json files = Json::array();
    const int exitCode = forEachReadable(
        options,
        [&](const LoadedInput& input) {
            files.push_back(command.document(input));
            finder.add(input);
        },
        [&](const std::string& path, const Error& error) {
            files.push_back({{"path", path}, {"error", toText(error)}});
        },
        [&](const LoadedInput& input) { finder.add(input); });
    Json run = finder.run(options);
    Json document({{"files", std::move(files)}, {"run", std::move(run)}});
    addDiagnosis(options, command, document);
    printDocument(document);
    return exitCode;
}

/// Returns "rank0" for "run/rank0.pickle.zst".
std::string nameWithoutExtensions(const std::string& path)
{
    std::filesystem::path name(path == "-" ? "stdin" : std::string(fileName(path)));
    if (name.extension() == ".zst" || name.extension() == ".gz")
        name.replace_extension();
    return name.replace_extension().string();
}

} // namespace

bool isOneFile(const CommonOptions& options)
{
    const std::vector<InputPath> files = expandInputs(options.files);
    return files.size() == 1 && !files.front().fromFolder;
}

int answerForRun(const CommonOptions& options, const FileCommand& command)
{
    if (options.json)
        return isOneFile(options) ? printDocumentOfOne(options, command) : printDocuments(options, command);
    if (isOneFile(options) && !options.rank) {
        const LoadedInput input = needInput(options.files.front(), options);
        command.print(input);
        return exitCodeOf(input);
    }
    RunRequest request;
    request.device = command.device;
    const Run run = needRun(options, std::move(request), {});
    printRunHead(run);
    command.print(mainInput(run));
    return exitCodeOf(run);
}

int writeForEachFile(const CommonOptions& options, const std::string& out, const std::string& ending,
    const std::function<void(const LoadedInput&, const std::string&)>& write)
{
    if (out == "-")
        refuse(out, "standard output takes one file; for several, -o needs a folder");
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(out, error);
    if (!isFolder && (std::filesystem::exists(out, error) || std::filesystem::path(out).has_extension()))
        refuse(out, "is the name of a file; several files need a folder, as in -o FOLDER");
    std::filesystem::create_directories(out, error);
    if (error)
        throw Refusal{out, {ErrorCode::CannotRead, "cannot be created: " + error.message(), {}}};
    std::set<std::string> paths;
    return forEachReadable(
        options,
        [&](const LoadedInput& input) {
            const std::string path
                = (std::filesystem::path(out) / (nameWithoutExtensions(input.path) + ending)).string();
            if (!paths.insert(path).second)
                refuse(input.path, "would replace the output of an earlier file; write it to another folder");
            write(input, path);
        },
        [](const std::string&, const Error&) {}, [](const LoadedInput&) {});
}

} // namespace highwater::cli
