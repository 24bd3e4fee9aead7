#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "importers/log/patterns/pattern_table.h"
#include "importers/log/series/series_store.h"

namespace highwater::logs {

/// The meaning of a record's key.
struct KeyMeaning
{
    const KeyRule* rule = nullptr; ///< null if the key is unknown
    SpecId spec = 0; ///< for figures
    double factor = 1; ///< from the written unit to the series' unit
    std::optional<std::int64_t> device;
};

/// Looks up keys in the table's rules and resolves each key once.
class KeyMeanings
{
public:
    KeyMeanings(const PatternTable& table, SeriesStore& series);

    /// Returns the meaning, valid until the next call. `shape` is the id of the kind of record, for rules
    /// that apply only to some kinds. Keys longer than 200 bytes, and keys after the first 50,000, are
    /// unknown.
    const KeyMeaning& meaningOfKey(std::string_view shape, const std::string& key);

    /// Returns the first 12 keys that look like memory figures but have no rule.
    const std::vector<std::string>& candidates() const { return m_candidates; }

private:
    KeyMeaning find(std::string_view shape, const std::string& key);
    KeyMeaning findByWords(std::string_view shape, const std::string& key);
    bool isFallback(std::string_view shape) const;
    void noteCandidate(const std::string& key);

    const PatternTable& m_table;
    SeriesStore& m_series;
    KeyRule m_wordRule; ///< rule of keys that only their words explain
    tsl::robin_map<std::string, KeyMeaning> m_meanings;
    std::string m_lookupKey;
    std::vector<std::string> m_candidates;
};

} // namespace highwater::logs
