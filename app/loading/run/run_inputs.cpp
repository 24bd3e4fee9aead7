#include "app/loading/run/run_inputs.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/loading/input_paths.h"
#include "app/loading/summary_file.h"

namespace highwater {

namespace {

/// Estimate until a file has been loaded.
constexpr double kMemoryPerFileByte = 4;

} // namespace

std::vector<RunInput> runInputs(const std::vector<std::string>& paths)
{
    std::vector<RunMember> members;
    std::map<std::string, bool> fromFolder; // a file may be named twice
    for (const InputPath& input : expandInputs(paths))
        if (fromFolder.emplace(input.path, input.fromFolder).second)
            members.push_back(runMember(input.path));
    sortByRank(members);
    std::vector<RunInput> inputs;
    for (RunMember& member : members) {
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(member.path, error);
        const bool inFolder = fromFolder[member.path];
        const bool isSummary = isSummaryFile(member.path).value_or(false);
        inputs.push_back({std::move(member), error ? 0 : bytes, inFolder, isSummary});
    }
    return inputs;
}

RunMember runMember(const std::string& path)
{
    const NameFacts name = factsFromName(path);
    return {path, name.rank, name.step, name.stage};
}

RunMember runMember(const std::string& path, const Trace& trace)
{
    RunMember member = runMember(path);
    if (const std::optional<std::int64_t> rank = rankFromContent(trace))
        member.rank = rank;
    return member;
}

std::uint64_t MemoryBudget::expectedBytes(std::uint64_t fileBytes) const
{
    const double factor = m_memoryPerFileByte > 0 ? m_memoryPerFileByte : kMemoryPerFileByte;
    return static_cast<std::uint64_t>(static_cast<double>(fileBytes) * factor);
}

bool MemoryBudget::fits(std::uint64_t fileBytes, std::uint64_t loadingBytes) const
{
    return m_held + expectedBytes(fileBytes + loadingBytes) <= m_limit;
}

void MemoryBudget::add(std::uint64_t fileBytes, std::uint64_t memoryBytes)
{
    m_held += memoryBytes;
    if (fileBytes > 0)
        m_memoryPerFileByte = std::max(
            m_memoryPerFileByte, static_cast<double>(memoryBytes) / static_cast<double>(fileBytes));
}

} // namespace highwater
