#include "tests/support/trace_from_text.h"

#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "core/base/text_format.h"

namespace highwater::test {

namespace {

using Words = std::vector<std::string>;

Words wordsOf(const std::string& line)
{
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

Bytes sizeFrom(const std::string& word)
{
    const std::optional<Bytes> size = parseSize(word);
    if (!size)
        throw std::invalid_argument("not a size: " + word);
    return *size;
}

class Reader
{
public:
    void read(const std::string& line)
    {
        if (line.find_first_not_of(' ') == std::string::npos || line[line.find_first_not_of(' ')] == '#')
            return;
        const Words words = wordsOf(line);
        if (words[0] == "stack")
            defineStack(words);
        else if (words[0] == "device")
            m_device = std::stoll(words.at(1));
        else if (words[0] == "final" || words[0] == "cached")
            addBlock(words);
        else if (words[0] == "end")
            addLiveBlocks();
        else if (words[0] == "annotation")
            addAnnotation(words);
        else
            addEvents(words);
        m_builder.device(DeviceKind::Cuda, m_device);
    }

    std::shared_ptr<const Trace> finish()
    {
        for (auto& [device, rows] : m_rows)
            m_builder.assignEvents(m_builder.device(DeviceKind::Cuda, device), rows);
        return m_builder.finish();
    }

private:
    void addAnnotation(const Words& words)
    {
        const StringId name = m_builder.strings().intern(words.at(1));
        m_builder.addAnnotationMark({name, m_device, std::stoll(words.at(2)) * 1000, true});
        if (words.size() > 3)
            m_builder.addAnnotationMark({name, m_device, std::stoll(words.at(3)) * 1000, false});
    }

    Address addressOf(const std::string& name)
    {
        return m_addresses.try_emplace(name, addressOfName(m_addresses.size())).first->second;
    }

    FrameId frame(const std::string& place, const std::string& function)
    {
        const std::size_t colon = place.rfind(':');
        Frame frame;
        frame.function = m_builder.strings().intern(function);
        frame.file = m_builder.strings().intern(place.substr(0, colon));
        frame.line = std::stoi(place.substr(colon + 1));
        frame.kind = guessFrameKind(place.substr(0, colon), frame.line);
        return m_builder.stacks().internFrame(frame);
    }

    void defineStack(const Words& words)
    {
        std::vector<FrameId> frames;
        std::string place;
        std::string function;
        for (std::size_t i = 3; i <= words.size(); ++i) {
            if (i < words.size() && words[i] != "|") {
                (place.empty() ? place : function)
                    += (place.empty() || function.empty() ? "" : " ") + words[i];
                continue;
            }
            if (!place.empty())
                frames.push_back(frame(place, function));
            place.clear();
            function.clear();
        }
        m_stacks[words.at(1)] = m_builder.stacks().internStack(frames);
    }

    StackId stackNamed(const std::string& name)
    {
        const auto found = m_stacks.find(name);
        if (found == m_stacks.end())
            throw std::invalid_argument("no such stack: " + name);
        return found->second;
    }

    /// Parses the words of the form @STACK, t=…, stream=…, pool=….
    MemoryEvent options(const Words& words)
    {
        MemoryEvent event;
        event.stream = m_builder.stream(0);
        for (const std::string& word : words) {
            if (word[0] == '@')
                event.stack = stackNamed(word.substr(1));
            else if (word.starts_with("t="))
                event.time = std::stoll(word.substr(2)) * 1000;
            else if (word.starts_with("stream="))
                event.stream = m_builder.stream(std::stoll(word.substr(7)));
            else if (word.starts_with("pool="))
                event.pool = m_builder.pool(
                    {std::stoull(word.substr(5)), std::stoull(word.substr(word.find(',') + 1))});
        }
        return event;
    }

    void add(MemoryEvent event, std::string_view action)
    {
        event.action = m_builder.action(action);
        const std::uint32_t row = m_builder.addEvent(event);
        m_rows[m_device].push_back({row, row + 1});
    }

    void addEvents(const Words& words)
    {
        MemoryEvent event = options(words);
        const std::string& action = words[0];
        if (action == "oom" || action == "snapshot") {
            event.size = sizeFrom(words.at(1));
            event.address = action == "oom" ? static_cast<Address>(sizeFrom(words.at(2))) : 0;
            return add(event, action);
        }
        const bool other = action == "action";
        const std::string& name = words.at(other ? 2 : 1);
        event.address = addressOf(name);
        Bytes& live = m_sizes[m_device][name];
        const bool frees = action.starts_with("free");
        event.size = frees ? live : sizeFrom(words.at(other ? 3 : 2));
        if (action == "alloc")
            m_live[m_device][name] = live = event.size;
        else if (frees && action != "free_requested")
            m_live[m_device].erase(name);
        if (action == "free")
            add(event, "free_requested");
        add(event,
            action == "free"            ? "free_completed"
                : action == "free_once" ? "free"
                : other                 ? words.at(1)
                                        : action);
    }

    void addBlock(const Words& words)
    {
        const MemoryEvent event = options(words);
        const bool sized = words.size() > 2 && words[2][0] >= '0' && words[2][0] <= '9';
        Block block;
        block.address = addressOf(words.at(1));
        block.requestedSize = sized ? sizeFrom(words[2]) : m_sizes[m_device][words[1]];
        block.size = (block.requestedSize + 511) / 512 * 512;
        block.state = words[0] == "cached" ? BlockState::Inactive
            : words.back() == "pending"    ? BlockState::PendingFree
                                           : BlockState::Active;
        block.stack = event.stack;
        Segment segment;
        segment.deviceOrdinal = m_device;
        segment.address = block.address;
        segment.totalSize = block.size;
        segment.stream = event.stream;
        segment.pool = event.pool;
        segment.blocks.first = m_builder.addBlock(block);
        segment.blocks.last = segment.blocks.first + 1;
        m_builder.addSegment(m_builder.device(DeviceKind::Cuda, m_device), segment);
    }

    void addLiveBlocks()
    {
        for (const auto& [name, size] : m_live[m_device])
            addBlock({"final", name, std::to_string(size)});
    }

    TraceBuilder m_builder;
    std::int64_t m_device = 0;
    std::map<std::string, Address> m_addresses;
    std::map<std::string, StackId> m_stacks;
    std::map<std::int64_t, std::map<std::string, Bytes>> m_sizes;
    std::map<std::int64_t, std::map<std::string, Bytes>> m_live;
    std::map<std::int64_t, std::vector<RowRange>> m_rows;
};

} // namespace

std::shared_ptr<const Trace> traceFromText(std::string_view text)
{
    Reader reader;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);)
        reader.read(line);
    return reader.finish();
}

} // namespace highwater::test
