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
    const KeyRule* rule = nullptr; ///< none: nothing that is known
    SpecId spec = 0; ///< of figures
    double factor = 1; ///< from the written unit to the series'
    std::optional<std::int64_t> device;
};

/// Looks keys up in the table's rules; each key is resolved once.
class KeyMeanings
{
public:
    KeyMeanings(const PatternTable& table, SeriesStore& series);

    /// `shape`: id of the kind of record, for rules that hold for some only.
    const KeyMeaning& of(std::string_view shape, const std::string& key);

    /// Keys that look like memory figures but are in no rule, up to a bound.
    const std::vector<std::string>& candidates() const { return m_candidates; }

private:
    KeyMeaning find(std::string_view shape, const std::string& key);
    KeyMeaning findByWords(std::string_view shape, const std::string& key);
    bool isFallback(std::string_view shape) const;
    void noteCandidate(const std::string& key);

    const PatternTable& m_table;
    SeriesStore& m_series;
    KeyRule m_byWords; ///< stands for the rule of keys that only their words explain
    tsl::robin_map<std::string, KeyMeaning> m_meanings;
    std::string m_lookup;
    std::vector<std::string> m_candidates;
};

} // namespace highwater::logs
