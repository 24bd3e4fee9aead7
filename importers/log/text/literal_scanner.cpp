#include "importers/log/text/literal_scanner.h"

#include <queue>

namespace highwater::logs {

namespace {

constexpr std::uint32_t kNoState = UINT32_MAX;

}

/// The automaton with states in order of insertion.
struct LiteralScanner::Trie
{
    explicit Trie(std::uint32_t classCount)
        : classes(classCount)
    {
        addState();
    }

    std::uint32_t addState()
    {
        next.resize(next.size() + classes, kNoState);
        outputs.emplace_back();
        return static_cast<std::uint32_t>(outputs.size()) - 1;
    }

    std::uint32_t& transition(std::uint32_t state, std::uint32_t byteClass)
    {
        return next[std::size_t{state} * classes + byteClass];
    }

    void insert(std::string_view literal, std::uint32_t index, const std::array<std::uint8_t, 256>& classOf)
    {
        std::uint32_t state = 0;
        for (const char c : literal) {
            const std::uint32_t byteClass = classOf[static_cast<unsigned char>(c)];
            if (transition(state, byteClass) == kNoState) {
                const std::uint32_t added = addState();
                transition(state, byteClass) = added;
            }
            state = transition(state, byteClass);
        }
        if (state != 0)
            outputs[state].push_back(index);
    }

    /// Adds the transitions for bytes that do not continue a literal, breadth first.
    void addFallbacks()
    {
        std::vector<std::uint32_t> fallback(outputs.size(), 0);
        std::queue<std::uint32_t> open;
        for (std::uint32_t c = 0; c < classes; ++c)
            enter(0, c, 0, fallback, open);
        for (; !open.empty(); open.pop()) {
            const std::uint32_t state = open.front();
            const std::vector<std::uint32_t>& fallbackOutputs = outputs[fallback[state]];
            outputs[state].insert(outputs[state].end(), fallbackOutputs.begin(), fallbackOutputs.end());
            for (std::uint32_t c = 0; c < classes; ++c)
                enter(state, c, transition(fallback[state], c), fallback, open);
        }
    }

    void enter(std::uint32_t state, std::uint32_t byteClass, std::uint32_t fallbackTarget,
        std::vector<std::uint32_t>& fallback, std::queue<std::uint32_t>& open)
    {
        std::uint32_t& target = transition(state, byteClass);
        if (target == kNoState) {
            target = fallbackTarget;
        } else {
            fallback[target] = fallbackTarget;
            open.push(target);
        }
    }

    std::uint32_t classes;
    std::vector<std::uint32_t> next;
    std::vector<std::vector<std::uint32_t>> outputs;
};

LiteralScanner::LiteralScanner(const std::vector<std::string>& literals)
{
    assignClasses(literals);
    Trie trie(m_classCount);
    for (std::uint32_t i = 0; i < literals.size(); ++i)
        trie.insert(literals[i], i, m_classes);
    trie.addFallbacks();
    numberStates(trie);
}

void LiteralScanner::assignClasses(const std::vector<std::string>& literals)
{
    for (const std::string& literal : literals)
        for (const char c : literal) {
            std::uint8_t& byteClass = m_classes[static_cast<unsigned char>(c)];
            if (byteClass == 0 && m_classCount < 256)
                byteClass = static_cast<std::uint8_t>(m_classCount++);
        }
}

void LiteralScanner::numberStates(const Trie& trie)
{
    const auto count = static_cast<std::uint32_t>(trie.outputs.size());
    std::vector<std::uint32_t> offset(count);
    std::uint32_t used = 0;
    const auto numberThose = [&](bool areFinal) {
        for (std::uint32_t state = 0; state < count; ++state)
            if (trie.outputs[state].empty() != areFinal)
                offset[state] = m_classCount * used++;
    };
    numberThose(false);
    m_firstFinal = m_classCount * used;
    numberThose(true);
    m_next.resize(std::size_t{count} * m_classCount);
    for (std::uint32_t state = 0; state < count; ++state)
        for (std::uint32_t c = 0; c < m_classCount; ++c)
            m_next[offset[state] + c] = offset[trie.next[std::size_t{state} * m_classCount + c]];
    m_outputRanges.push_back(0);
    for (std::uint32_t state = 0; state < count; ++state) {
        if (trie.outputs[state].empty())
            continue;
        m_outputs.insert(m_outputs.end(), trie.outputs[state].begin(), trie.outputs[state].end());
        m_outputRanges.push_back(static_cast<std::uint32_t>(m_outputs.size()));
    }
}

} // namespace highwater::logs
