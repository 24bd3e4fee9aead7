#include "app/cli/input/each_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/console/terminal.h"
#include "app/loading/input_paths.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// A log that lies beside recordings in a folder.
bool isBeside(const CommonOptions& options, const LoadedInput& input)
{
    return input.imported && !tellsAllocations(*input.imported->trace)
        && std::ranges::count(options.files, input.path) == 0;
}

/// Calls `work` for each input; what it refuses is said. `refused` gets those that give nothing.
int forEachReadable(const CommonOptions& options, const std::function<void(const LoadedInput&)>& work,
    const std::function<void(const std::string&, const Error&)>& refused)
{
    int worst = Done;
    const int loaded = forEachInput(options, [&](const LoadedInput& input) {
        if (isBeside(options, input))
            return;
        if (!input.imported) { // the line on stderr says it
            refused(input.path, input.imported.error());
            return;
        }
        try {
            work(input);
        } catch (const Refusal& refusal) {
            printError(refusal.subject, refusal.error);
            worst = worse(worst, refusal.exitCode);
            refused(input.path, refusal.error);
        }
    });
    return worse(loaded, worst);
}

/// "rank0" of "run/rank0.pickle.zst".
std::string bareName(const std::string& path)
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

int forEachFile(const CommonOptions& options, const FileCommand& command)
{
    if (isOneFile(options)) {
        const LoadedInput input = needInput(options.files.front(), options);
        if (options.json)
            printDocument(command.document(input));
        else
            command.print(input);
        return exitCodeOf(input);
    }
    Json documents = Json::array();
    bool isFirst = true;
    const auto work = [&](const LoadedInput& input) {
        if (options.json) {
            documents.push_back(command.document(input));
            return;
        }
        printOut("{}{}\n", isFirst ? "" : "\n", Style::forStdout().strong(sanitizedText(input.path)));
        isFirst = false;
        command.print(input);
    };
    const int exitCode = forEachReadable(options, work, [&](const std::string& path, const Error& error) {
        documents.push_back({{"path", path}, {"error", toText(error)}});
    });
    if (options.json)
        printDocument(Json({{"files", documents}}));
    return exitCode;
}

int writeForEachFile(const CommonOptions& options, const std::string& out, const std::string& ending,
    const std::function<void(const LoadedInput&, const std::string&)>& write)
{
    if (out == "-")
        refuse(out, "standard output takes one file: of several, -o names a folder");
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(out, error);
    if (!isFolder && (std::filesystem::exists(out, error) || std::filesystem::path(out).has_extension()))
        refuse(out, "is the name of a file: of several files each is written into a folder, as in -o FOLDER");
    std::filesystem::create_directories(out, error);
    if (error)
        throw Refusal{out, {ErrorCode::CannotRead, "cannot be made: " + error.message(), {}}};
    return forEachReadable(
        options,
        [&](const LoadedInput& input) {
            write(input, (std::filesystem::path(out) / (bareName(input.path) + ending)).string());
        },
        [](const std::string&, const Error&) {});
}

} // namespace highwater::cli
