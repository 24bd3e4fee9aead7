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
struct OpenFiles
{
    std::vector<bool> isOpen; ///< no file of the other run has its portable path
    std::vector<bool> isRead; ///< open, and the user's own file
};

OpenFiles openFilesOf(const PythonFiles& files, const PythonFiles& others)
{
    std::set<std::string> known;
    for (const std::string& path : others.paths)
        known.insert(portablePath(path));
    OpenFiles open;
    for (const std::string& path : files.paths) {
        open.isOpen.push_back(!known.contains(portablePath(path)));
        open.isRead.push_back(open.isOpen.back() && isOwnFile(path));
    }
    return open;
}

class ContentsReader
{
public:
    ContentsReader(const Trace& trace, const PythonFiles& files, const OpenFiles& open)
        : m_trace(trace)
        , m_open(open)
        , m_contents(files.paths.size())
    {
        for (std::size_t i = 0; i < files.paths.size(); ++i)
            m_contents[i].path = files.paths[i];
        m_code = judgedFunctions(trace.stacks, [&](const Frame& frame) { return codeOf(files, frame); });
    }

    void readFunctions()
    {
        const std::uint64_t script = std::hash<std::string_view>()("<module>");
        for (const Code& code : m_code)
            if (code.file != kNoFile && m_open.isOpen[code.file]) {
                m_contents[code.file].functions.push_back(code.function);
                m_contents[code.file].isScript |= code.function == script;
            }
        for (FileContents& file : m_contents)
            sortOnce(file.functions);
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
            sortOnce(file.calls);
            addEqual(file.allocations);
        }
    }

    std::vector<FileContents> take() { return std::move(m_contents); }

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

    Code codeOf(const PythonFiles& files, const Frame& frame) const
    {
        if (frame.kind != FrameKind::Python)
            return {};
        const std::hash<std::string_view> number;
        const auto textOf = [this](StringId id) { return id.isNone() ? "" : m_trace.text(id); };
        Code code;
        code.file = files.places.at(frame.file.value());
        code.isLibrary = isLibraryFile(files.paths[code.file]);
        code.function = number(textOf(frame.function));
        code.call = hashOf(
            code.function, m_open.isOpen[code.file] ? 0 : number(portablePath(files.paths[code.file])));
        return code;
    }

    /// Returns the allocations by stack and size, for stacks that pass through a read file.
    std::vector<StackSize> allocations() const
    {
        const std::vector<std::uint8_t> isRead
            = stackBits<std::uint8_t>(m_trace.stacks, [this](FrameId frame) {
                  const std::size_t file = m_code[m_trace.stacks.functionOf(frame)].file;
                  return static_cast<std::uint8_t>(file != kNoFile && m_open.isRead[file]);
              });
        NumberMap<std::pair<StackId, Bytes>, std::int64_t> counts;
        const auto add = [&](StackId stack, Bytes size) {
            if (m_trace.stacks.hasFrames(stack) && isRead[stack.index()] != 0)
                ++counts[{stack, size}];
        };
        InterruptionCounter interruption;
        for (std::size_t row = 0; row < m_trace.events.rows(); ++row) {
            interruption.round();
            if (isBirth(m_trace.events.action[row]))
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
        for (StackId at = stack; m_trace.stacks.hasFrames(at); at = m_trace.stacks.caller(at)) {
            const Code& code = m_code[m_trace.stacks.functionOf(m_trace.stacks.innermost(at))];
            if (code.file == kNoFile || code.isLibrary)
                continue;
            calls = hashOf(calls, code.call);
            if (!m_open.isRead[code.file])
                continue;
            const auto known
                = std::ranges::find(m_calls, code.file, &std::pair<std::size_t, std::uint64_t>::first);
            if (known == m_calls.end())
                m_calls.emplace_back(code.file, calls);
            else
                known->second = calls;
        }
        return m_calls;
    }

    static void sortOnce(std::vector<std::uint64_t>& numbers)
    {
        std::ranges::sort(numbers);
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    static void addEqual(std::vector<std::pair<std::uint64_t, std::int64_t>>& counted)
    {
        std::ranges::sort(counted);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < counted.size(); ++i)
            if (kept > 0 && counted[kept - 1].first == counted[i].first)
                counted[kept - 1].second += counted[i].second;
            else
                counted[kept++] = counted[i];
        counted.resize(kept);
    }

    const Trace& m_trace;
    const OpenFiles& m_open;
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
        if (frame.kind == FrameKind::Python && places.try_emplace(frame.file.value(), paths.size()).second)
            paths.emplace_back(frame.file.isNone() ? std::string_view() : trace.text(frame.file));
    }
}

ContentsOfRuns contentsOfFiles(
    const Trace& before, const PythonFiles& beforeFiles, const Trace& after, const PythonFiles& afterFiles)
{
    const OpenFiles beforeOpen = openFilesOf(beforeFiles, afterFiles);
    const OpenFiles afterOpen = openFilesOf(afterFiles, beforeFiles);
    ContentsReader beforeReader(before, beforeFiles, beforeOpen);
    ContentsReader afterReader(after, afterFiles, afterOpen);
    beforeReader.readFunctions();
    afterReader.readFunctions();
    const auto any
        = [](const std::vector<bool>& files) { return std::ranges::find(files, true) != files.end(); };
    if (any(beforeOpen.isRead) && any(afterOpen.isRead)) {
        beforeReader.readAllocations();
        afterReader.readAllocations();
    }
    return {beforeReader.take(), afterReader.take()};
}

} // namespace highwater
