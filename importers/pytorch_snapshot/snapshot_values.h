#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <tsl/robin_map.h>

#include "core/trace/trace.h"
#include "importers/pickle/pickle_writer.h"

namespace highwater {

/// Writes the texts of a snapshot, each once, and what a trace keeps as JSON.
class SnapshotValues
{
public:
    static constexpr std::uint32_t kNotWritten = std::numeric_limits<std::uint32_t>::max();

    explicit SnapshotValues(pickle::Writer& pickle)
        : m_pickle(pickle)
    {
    }

    /// Puts the object on top of the stack into the memo and returns its place there.
    std::uint32_t memoize()
    {
        m_pickle.memoize();
        return m_slots++;
    }
    /// Writes the object of this slot if there is one.
    bool isWritten(std::uint32_t slot)
    {
        if (slot != kNotWritten)
            m_pickle.get(slot);
        return slot != kNotWritten;
    }

    void text(std::string_view text);
    /// A key and the value that the JSON text stands for; nothing if it is no JSON.
    void member(std::string_view key, std::string_view json);
    /// The members of a JSON object as keys and values; nothing if the text is none.
    void members(std::string_view json);
    /// A dict of settings; "a.b" is "b" in the dict "a".
    void tree(const std::vector<NamedText>& settings);

private:
    void value(const nlohmann::ordered_json& value, int depth);

    pickle::Writer& m_pickle;
    std::uint32_t m_slots = 0;
    tsl::robin_map<std::string, std::uint32_t> m_texts;
};

} // namespace highwater
