#include "core/analysis/diff/matching/file_contents.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include "core/analysis/diff/matching/code_paths.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/interruption.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// Allocations of one stack and size.
struct StackSize
{
    StackId stack;
    Bytes size = 0;
    std::int64_t count = 0;
};

/// Flags of each file, parallel to `PythonFiles::paths`.
struct FileFlags
{
    std::vector<bool> isUnpaired; ///< no file of the other run has its portable path
    std::vector<bool> isRead; ///< unpaired, and the user's own file
};

FileFlags fileFlagsOf(const PythonFiles& files, const PythonFiles& others)
{
    std::set<std::string> otherPaths;
    for (const std::string& path : others.paths)
        otherPaths.insert(portablePath(path));
    FileFlags flags;
    for (const std::string& path : files.paths) {
        flags.isUnpaired.push_back(!otherPaths.contains(portablePath(path)));
        flags.isRead.push_back(flags.isUnpaired.back() && isOwnFile(path));
    }
    return flags;
}

class ContentsReader
{
public:
    ContentsReader(const Trace& trace, const PythonFiles& files, const FileFlags& flags)
        : m_trace(trace)
        , m_flags(flags)
        , m_contents(files.paths.size())
    {
        for (std::size_t i = 0; i < files.paths.size(); ++i)
            m_contents[i].path = files.paths[i];
        m_code = resultsByFunction(trace.stacks, [&](const Frame& frame) { return codeOf(files, frame); });
    }

    void readFunctions()
    {
        const std::uint64_t script = std::hash<std::string_view>()("<module>");
        for (const Code& code : m_code)
            if (code.file != kNoFile && m_flags.isUnpaired[code.file]) {
                m_contents[code.file].functions.push_back(code.function);
                m_contents[code.file].isScript |= code.function == script;
            }
        for (FileContents& file : m_contents)
            sortUnique(file.functions);
    }

    void readAllocations()
    {
        const std::vector<StackSize> sizes = allocations();
        for (auto first = sizes.begin(); first != sizes.end();) {
            const auto last = std::find_if(
                first, sizes.end(), [&](const StackSize& size) { return size.stack != first->stack; });
            for (const auto& [file, calls] : callsOf(first->stack)) {
                m_contents[file].calls.push_back(calls);
                for (auto size = first; size != last; ++size)
                    m_contents[file].allocations.emplace_back(
                        hashOf(calls, static_cast<std::uint64_t>(size->size)), size->count);
            }
            first = last;
        }
        for (FileContents& file : m_contents) {
            sortUnique(file.calls);
            mergeEqual(file.allocations);
        }
    }

    std::vector<FileContents> takeContents() { return std::move(m_contents); }

private:
    static constexpr std::size_t kNoFile = ~std::size_t{0};

    /// A function of the stack table.
    struct Code
    {
        std::size_t file = kNoFile; ///< kNoFile for C++
        bool isLibrary = false;
        std::uint64_t function = 0; ///< hash of its name
        std::uint64_t call = 0; ///< hash of its name, and of its file if both runs have it
    };

    /// Returns the code of a function; the line of `frame` does not matter.
    Code codeOf(const PythonFiles& files, const Frame& frame) const
    {
        if (frame.kind != FrameKind::Python)
            return {};
        const std::hash<std::string_view> hashText;
        const auto textOf = [this](StringId id) { return id.isNone() ? "" : m_trace.text(id); };
        Code code;
        code.file = files.indexOfFile.at(frame.file.value());
        code.isLibrary = isLibraryFile(files.paths[code.file]);
        code.function = hashText(textOf(frame.function));
        code.call = hashOf(code.function,
            m_flags.isUnpaired[code.file] ? 0 : hashText(portablePath(files.paths[code.file])));
        return code;
    }

    /// Returns the allocations by stack and size, for stacks that pass through a read file. Includes those
    /// from before the recording, except the ones freed in it.
    std::vector<StackSize> allocations() const
    {
        const std::vector<std::uint8_t> isRead
            = stackBits<std::uint8_t>(m_trace.stacks, [this](FrameId frame) {
                  const std::size_t file = m_code[m_trace.stacks.functionOf(frame)].file;
                  return static_cast<std::uint8_t>(file != kNoFile && m_flags.isRead[file]);
              });
        NumberMap<std::pair<StackId, Bytes>, std::int64_t> counts;
        const auto add = [&](StackId stack, Bytes size) {
            if (m_trace.stacks.hasFrames(stack) && isRead[stack.index()] != 0)
                ++counts[{stack, size}];
        };
        InterruptionCounter interruption;
        for (std::size_t row = 0; row < m_trace.events.rows(); ++row) {
            interruption.round();
            if (isAllocationAction(m_trace.events.action[row]))
                add(m_trace.events.stack[row], m_trace.events.size[row]);
        }
        for (const EventPairing& pairing : m_trace.pairings)
            for (const std::uint32_t block : pairing.untouchedBlocks)
                add(m_trace.segments.blocks[block].stack, m_trace.segments.blocks[block].requestedSize);
        std::vector<StackSize> sizes;
        sizes.reserve(counts.size());
        for (const auto& [key, count] : counts)
            sizes.push_back({key.first, key.second, count});
        std::ranges::sort(sizes, {}, [](const StackSize& size) { return size.stack.index(); });
        return sizes;
    }

    /// Returns, for each read file in a stack, the hash of the calls from the outermost frame of that file
    /// inwards. The walk begins at the innermost frame, so the last hash of a file is the one of its
    /// outermost frame.
    const std::vector<std::pair<std::size_t, std::uint64_t>>& callsOf(StackId stack)
    {
        m_calls.clear();
        std::uint64_t calls = 0;
        for (StackId node = stack; m_trace.stacks.hasFrames(node); node = m_trace.stacks.caller(node)) {
            const Code& code = m_code[m_trace.stacks.functionOf(m_trace.stacks.innermost(node))];
            if (code.file == kNoFile || code.isLibrary)
                continue;
            calls = hashOf(calls, code.call);
            if (!m_flags.isRead[code.file])
                continue;
            const auto entry
                = std::ranges::find(m_calls, code.file, &std::pair<std::size_t, std::uint64_t>::first);
            if (entry == m_calls.end())
                m_calls.emplace_back(code.file, calls);
            else
                entry->second = calls;
        }
        return m_calls;
    }

    static void sortUnique(std::vector<std::uint64_t>& numbers)
    {
        std::ranges::sort(numbers);
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    /// Sorts the list by hash and adds up the counts of equal hashes.
    static void mergeEqual(std::vector<std::pair<std::uint64_t, std::int64_t>>& counted)
    {
        std::ranges::sort(counted);
        std::size_t merged = 0;
        for (std::size_t i = 0; i < counted.size(); ++i)
            if (merged > 0 && counted[merged - 1].first == counted[i].first)
                counted[merged - 1].second += counted[i].second;
            else
                counted[merged++] = counted[i];
        counted.resize(merged);
    }

    const Trace& m_trace;
    const FileFlags& m_flags;
    std::vector<Code> m_code; ///< by function id of the stack table
    std::vector<FileContents> m_contents;
    /// Result of `callsOf` for the last stack: file and hash. A list suffices, since a stack has few files
    std::vector<std::pair<std::size_t, std::uint64_t>> m_calls;
};

} // namespace

PythonFiles::PythonFiles(const Trace& trace)
{
    for (std::size_t i = 0; i < trace.stacks.functionCount(); ++i) {
        const Frame& frame = trace.stacks.function(i);
        if (frame.kind == FrameKind::Python
            && indexOfFile.try_emplace(frame.file.value(), paths.size()).second)
            paths.emplace_back(frame.file.isNone() ? std::string_view() : trace.text(frame.file));
    }
}

ContentsOfRuns contentsOfFiles(
    const Trace& before, const PythonFiles& beforeFiles, const Trace& after, const PythonFiles& afterFiles)
{
    const FileFlags beforeFlags = fileFlagsOf(beforeFiles, afterFiles);
    const FileFlags afterFlags = fileFlagsOf(afterFiles, beforeFiles);
    ContentsReader beforeReader(before, beforeFiles, beforeFlags);
    ContentsReader afterReader(after, afterFiles, afterFlags);
    beforeReader.readFunctions();
    afterReader.readFunctions();
    const auto hasAny
        = [](const std::vector<bool>& files) { return std::ranges::find(files, true) != files.end(); };
    if (hasAny(beforeFlags.isRead) && hasAny(afterFlags.isRead)) {
        beforeReader.readAllocations();
        afterReader.readAllocations();
    }
    return {beforeReader.takeContents(), afterReader.takeContents()};
}

} // namespace highwater
