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

/// Writes the texts of a snapshot, and the parts that a trace keeps as JSON. A text is written once and then
/// referenced by its slot in the memo. The slots are counted here from 0, so nothing else may use the memo of
/// the writer, which must outlive this object. JSON nested deeper than 64 levels is written as None.
class SnapshotValues
{
public:
    static constexpr std::uint32_t kNotWritten = std::numeric_limits<std::uint32_t>::max();

    explicit SnapshotValues(pickle::Writer& pickle)
        : m_pickle(pickle)
    {
    }

    /// Puts the top of the stack into the memo and returns its slot.
    std::uint32_t memoize()
    {
        m_pickle.memoize();
        return m_slotCount++;
    }
    /// Pushes the object in this slot and returns true; returns false if `slot` is kNotWritten.
    bool pushIfWritten(std::uint32_t slot)
    {
        if (slot != kNotWritten)
            m_pickle.get(slot);
        return slot != kNotWritten;
    }

    /// Pushes a text: in full the first time, by reference afterwards.
    void writeText(std::string_view text);
    /// Writes a key and the value in a JSON text; nothing if the text is not JSON.
    void writeJsonMember(std::string_view key, std::string_view json);
    /// Writes the members of a JSON object as keys and values; nothing if the text is not an object.
    void writeJsonMembers(std::string_view json);
    /// Writes a dict of settings; "a.b" becomes "b" in the dict "a".
    void writeSettingsTree(const std::vector<NamedText>& settings);

private:
    void writeJsonValue(const nlohmann::ordered_json& value, int depth);

    pickle::Writer& m_pickle;
    std::uint32_t m_slotCount = 0;
    tsl::robin_map<std::string, std::uint32_t> m_texts;
};

} // namespace highwater
