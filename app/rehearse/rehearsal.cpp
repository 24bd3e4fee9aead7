#include "app/rehearse/rehearsal.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "app/rehearse/child_process.h"
#include "app/rehearse/installed_torch.h"
#include "app/rehearse/journal.h"
#include "app/rehearse/python_files.h"
#include "app/rehearse/rehearsal_folder.h"
#include "app/rehearse/stand_in_libraries.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::rehearse {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// True if the machine has a driver or a device of a GPU, also in WSL.
bool hasRealGpu()
{
    std::error_code ignored;
    return fs::exists("/proc/driver/nvidia/version", ignored) || fs::exists("/dev/nvidia0", ignored)
        || fs::exists("/dev/dxg", ignored);
}

/// True if a library is linked to the CUDA runtime dynamically. No stand-in can replace a runtime that is
/// linked statically.
bool linksRuntime(const ElfSymbols& library)
{
    return std::any_of(library.neededLibraries.begin(), library.neededLibraries.end(),
        [](const std::string& needed) { return needed.starts_with("libcudart"); });
}

/// PyTorch's libraries that need CUDA.
struct TorchLibraries
{
    std::vector<ElfSymbols> symbols;
    bool linkRuntime = false; ///< PyTorch links the CUDA runtime dynamically
};

/// Reads the libraries that need CUDA. Those that cannot be read are left out.
TorchLibraries readTorchLibraries(const InstalledTorch& torch)
{
    TorchLibraries libraries;
    for (const std::string& path : torch.libraries) {
        if (isCudaLibrary(fs::path(path).filename().string()))
            continue; // the vendor's own libraries are not used
        Result<ElfSymbols> symbols = readElfFile(path);
        if (!symbols)
            continue;
        if (fs::path(path).filename().string().starts_with("libc10_cuda"))
            libraries.linkRuntime = linksRuntime(*symbols);
        const bool needsCuda = std::any_of(symbols->neededLibraries.begin(), symbols->neededLibraries.end(),
            [](const std::string& needed) { return isCudaLibrary(needed); });
        if (needsCuda)
            libraries.symbols.push_back(std::move(*symbols));
    }
    return libraries;
}

/// Writes the libraries and returns their paths in the order in which they must be loaded.
Result<std::vector<std::string>> writeLibraries(const RehearsalFolder& folder, const TorchLibraries& torch)
{
    const Result<std::string> standIns = writeStandIns(folder);
    if (!standIns)
        return tl::unexpected(standIns.error());
    const std::string& standInsPath = *standIns;
    const Result<ElfSymbols> standInSymbols = readElfFile(standInsPath);
    if (!standInSymbols)
        return tl::unexpected(standInSymbols.error());
    std::vector<std::string> paths{standInsPath};
    for (const WrittenLibrary& library : planStandIns(torch.symbols, standInSymbols->defined, standInsPath)) {
        const Result<std::string> bytes = buildLibrary(library);
        if (!bytes)
            return tl::unexpected(bytes.error());
        paths.push_back(folder / library.soname);
        if (Result<void> written = writeFile(paths.back(), *bytes); !written)
            return tl::unexpected(written.error());
    }
    // Triton before 3.3 links its compiled code with -lcuda.
    std::error_code ignored;
    fs::create_symlink("libcuda.so.1", folder / "libcuda.so", ignored);
    return paths;
}

/// Returns the profile of the devices as the stand-ins read it (stand_ins/profile.c).
std::string deviceText(const RehearsalRequest& request, const InstalledTorch& torch)
{
    const GpuProfile& gpu = request.gpu.profile;
    std::string text
        = fmt::format("name={};devices={};cuda={};major={};minor={};multiprocessors={};"
                      "threads_per_multiprocessor={};blocks_per_multiprocessor={};"
                      "shared_per_multiprocessor={};shared_per_block={};l2={};memory={};outside={};"
                      "kernel_ns={};regions={}",
            request.gpu.deviceName.empty() ? "NVIDIA " + request.gpu.name : request.gpu.deviceName,
            request.gpusPerProcess, torch.cudaVersion, gpu.major, gpu.minor, gpu.multiprocessors,
            gpu.threadsPerMultiprocessor, gpu.blocksPerMultiprocessor, gpu.sharedBytesPerMultiprocessor,
            gpu.sharedBytesPerMultiprocessor - (gpu.major >= 8 ? 1024 : 0), gpu.cacheBytes,
            request.memoryBytes, request.outsideBytes, request.kernelNanoseconds, toText(request.addresses));
    if (torch.cudnnVersion > 0)
        text += fmt::format(";cudnn={}", torch.cudnnVersion);
    if (torch.ncclVersion > 0)
        text += fmt::format(";nccl={}", torch.ncclVersion);
    return text;
}

std::string absolute(const std::string& path)
{
    std::error_code error;
    return path.empty() ? path : fs::absolute(path, error).string();
}

/// Returns the settings that highwater_rehearsal.py reads.
Json settingsOf(const RehearsalRequest& request, const InstalledTorch& torch,
    const std::vector<std::string>& libraries, const RehearsalFolder& folder)
{
    return {{"libraries", libraries}, {"folder", folder.path().string()}, {"locked", folder.isLocked()},
        {"journal", (folder / "journal").string()}, {"force", request.force},
        {"snapshot", absolute(request.snapshotPath)}, {"trace", absolute(request.tracePath)},
        {"labels", absolute(request.labelsPath)}, {"rules", absolute(request.rulesPath)},
        {"stacks", request.cppStacks ? "all" : "python"},
        {"history", request.history == History::Whole ? "whole" : "script"}, {"gpu", request.gpu.name},
        {"gpus", request.gpusPerProcess}, {"memory_bytes", request.memoryBytes},
        {"outside_bytes", request.outsideBytes}, {"torch", torch.version}, {"torch_folder", torch.folder},
        {"python", torch.python}, {"fill", request.fill}, {"max_steps", request.maxSteps},
        {"tells_steps", request.reportsSteps},
        {"changes", request.changes ? Json(*request.changes) : Json(nullptr)}};
}

/// Reads the journal after giving PyTorch's helpers some time, since they end a little later than the
/// command.
std::vector<RehearsedProcess> processesAtTheEnd(const fs::path& journal)
{
    constexpr std::chrono::seconds kTimeToEnd{5};
    for (const RehearsedProcess& process : readJournal(journal))
        if (!process.hasEnded)
            endsWithin(static_cast<int>(process.pid), kTimeToEnd);
    std::vector<RehearsedProcess> processes = readJournal(journal);
    for (RehearsedProcess& process : processes)
        process.isRunning = !process.hasEnded && ::kill(static_cast<pid_t>(process.pid), 0) == 0;
    return processes;
}

/// Takes a note on a change: its name, or "name: how to make it here".
void noteChange(const std::string& note, RehearsalResult& result)
{
    const std::size_t colon = note.find(": ");
    const std::string name = note.substr(0, colon);
    if (std::ranges::find(result.changeable, name) == result.changeable.end())
        result.changeable.push_back(name);
    if (colon == std::string::npos)
        return;
    std::string& advice = result.advice[name];
    advice += (advice.empty() ? "" : "; ") + note.substr(colon + 2);
}

/// Reads the lines that the stand-ins and the recorder wrote. A line without blanks is the name of an unknown
/// function. "! " begins a possible reason of a failure, "? " a gap, "= " the name of a change, "~ " the
/// bytes of a convolution; other lines describe sizes that are not exact.
void readNotes(const fs::path& path, RehearsalResult& result)
{
    std::set<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        lines.insert(sanitizedText(line)); // the rehearsed program may have written to this file
    for (const std::string& line : lines) {
        if (line.find(' ') == std::string::npos)
            result.unknownCalls.push_back(line);
        else if (line.starts_with("! "))
            result.remarks.push_back(line.substr(2));
        else if (line.starts_with("? "))
            result.gaps.push_back(line.substr(2));
        else if (line.starts_with("= "))
            noteChange(line.substr(2), result);
        else if (line.starts_with("~ "))
            result.convolutionBytes
                = std::max(result.convolutionBytes, Bytes{std::strtoll(line.c_str() + 2, nullptr, 10)});
        else
            result.inexact.push_back(line);
    }
}

/// Returns the environment variables that the command gets in addition. Triton needs the folder of the
/// driver's library, since it links a file against that library without looking at the loaded libraries.
Environment environmentOf(
    const RehearsalFolder& folder, const std::string& library, const std::string& device)
{
    Environment variables = {"TRITON_LIBCUDA_PATH=" + folder.path().string(),
        "HIGHWATER_REHEARSAL=" + (folder / "settings.json").string(), "HIGHWATER_SIMULATED_GPU=" + device,
        "HIGHWATER_NOTES=" + (folder / "notes").string()};
    const char* const path = std::getenv("PATH");
    variables.push_back("PATH=" + (folder / "bin").string() + (path ? ":" + std::string(path) : ""));
    for (std::string& variable : followingEnvironment(folder, library))
        variables.push_back(std::move(variable));
    // Transformers loads weights in threads, in a different order each time.
    if (std::getenv("HF_DEACTIVATE_ASYNC_LOAD") == nullptr)
        variables.emplace_back("HF_DEACTIVATE_ASYNC_LOAD=1");
    // Makes sets of strings have the same order in every run.
    if (std::getenv("PYTHONHASHSEED") == nullptr)
        variables.emplace_back("PYTHONHASHSEED=0");
    return variables;
}

} // namespace

Result<RehearsalResult> rehearse(const RehearsalRequest& request)
{
    if (std::getenv("HIGHWATER_REHEARSAL"))
        return fail(ErrorCode::BadRequest, "a rehearsal cannot run within another");
    if (hasRealGpu() && !request.force)
        return fail(ErrorCode::BadRequest,
            "this machine has a GPU; record the run itself, or rehearse it with --force");
    const Result<InstalledTorch> torch
        = findInstalledTorch(request.python.empty() ? request.command : std::vector{request.python});
    if (!torch)
        return tl::unexpected(torch.error());
    const TorchLibraries torchLibraries = readTorchLibraries(*torch);
    if (!torchLibraries.linkRuntime)
        return fail(ErrorCode::BadRequest,
            fmt::format("PyTorch {} has the CUDA runtime linked statically, which cannot be simulated",
                torch->version));
    std::error_code error;
    const Result<RehearsalFolder> folder = RehearsalFolder::create(fs::temp_directory_path(error));
    if (!folder)
        return tl::unexpected(folder.error());
    const Result<std::vector<std::string>> libraries = writeLibraries(*folder, torchLibraries);
    if (!libraries)
        return tl::unexpected(libraries.error());
    const Json settings = settingsOf(request, *torch, *libraries, *folder);
    for (const auto write : {writePythonFiles, writeNvidiaSmi})
        if (Result<void> written = write(*folder); !written)
            return tl::unexpected(written.error());
    if (Result<void> written = writeFile(*folder / "settings.json", jsonText(settings)); !written)
        return tl::unexpected(written.error());
    const Result<ChildEnd> end
        = runChild(request.command, environmentOf(*folder, libraries->front(), deviceText(request, *torch)),
            request.output, request.limit, request.errorsPath);
    if (!end)
        return tl::unexpected(end.error());
    RehearsalResult result{.exitCode = end->exitCode,
        .isInterrupted = end->isInterrupted,
        .isOverLimit = end->isOverLimit,
        .hasLeftProcesses = end->hasLeftProcesses,
        .torchVersion = torch->version,
        .python = torch->python,
        .processes = processesAtTheEnd(*folder / "journal")};
    readNotes(*folder / "notes", result);
    return result;
}

} // namespace highwater::rehearse
