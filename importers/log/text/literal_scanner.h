#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::logs {

/// Finds all literals of a set that occur in a text, in one pass (Aho and Corasick, 1975). Costs one table
/// look-up per byte and a call per occurrence, however many literals there are.
class LiteralScanner
{
public:
    /// A literal's index identifies it. Empty literals never occur.
    explicit LiteralScanner(const std::vector<std::string>& literals);

    /// Calls `found(index)` for each occurrence, from the front of the text to its end.
    template <typename Found>
    void scan(std::string_view text, Found found) const
    {
        const std::uint32_t* const next = m_next.data();
        std::uint32_t state = 0;
        for (const char c : text) {
            state = next[state + m_classes[static_cast<unsigned char>(c)]];
            if (state >= m_firstFinal)
                for (std::uint32_t i = outputsBegin(state); i < outputsEnd(state); ++i)
                    found(m_outputs[i]);
        }
    }

private:
    struct Trie;
    void assignClasses(const std::vector<std::string>& literals);
    void numberStates(const Trie& trie);
    std::uint32_t finalIndex(std::uint32_t state) const { return (state - m_firstFinal) / m_classCount; }
    std::uint32_t outputsBegin(std::uint32_t state) const { return m_outputRanges[finalIndex(state)]; }
    std::uint32_t outputsEnd(std::uint32_t state) const { return m_outputRanges[finalIndex(state) + 1]; }

    std::array<std::uint8_t, 256> m_classes{}; ///< bytes that occur in no literal share class 0
    std::uint32_t m_classCount = 1;
    std::vector<std::uint32_t> m_next; ///< state + class → state; a state is the offset of its row
    std::uint32_t m_firstFinal = 0; ///< this state and all later ones end a literal
    std::vector<std::uint32_t> m_outputRanges; ///< for each final state, its range in m_outputs
    std::vector<std::uint32_t> m_outputs;
};

} // namespace highwater::logs
