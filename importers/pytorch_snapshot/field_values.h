#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/string_pool.h"
#include "core/trace/trace.h"
#include "importers/pytorch_snapshot/record_store.h"

namespace highwater {

/// Returns a size or count: an integer between 0 and 2^63 − 1; nullopt for other values.
std::optional<Bytes> toSize(const Value& value);
/// Returns an address of any 64 bits. PyTorch's C++ writer stores addresses of 2^63 and above as negative
/// numbers.
std::optional<Address> toAddress(const Value& value);
/// Returns a signed integer of 64 bits; nullopt for other values.
std::optional<std::int64_t> toInteger(const Value& value);
/// Returns true for a true Bool, an integer other than 0, and a list or pool id that has one of these as an
/// item.
bool isTruthy(const Value& value, const RecordStore& store, const std::vector<PoolKey>& pools);

/// Renders values for which this program has no field as JSON text.
class ValueText
{
public:
    ValueText(const RecordStore& store, const StringPool& strings, const std::vector<PoolKey>& pools)
        : m_store(store)
        , m_strings(strings)
        , m_pools(pools)
    {
    }
    static constexpr std::size_t kMaxBytes = 16 * 1024;
    /// Cuts off text beyond `maxBytes`, so long values are not valid JSON. Omits values nested deeper than 64
    /// levels.
    std::string json(const Value& value, std::size_t maxBytes = kMaxBytes) const;
    /// Adds an unknown top-level entry of the file. Source code (core/trace/source_code.h) may be longer than
    /// other values, but only once: a small file can repeat a key and refer to one long text many times.
    void addEntry(std::vector<NamedText>& entries, const std::string& name, const Value& value) const;
    /// Returns a string's text, and JSON for any other value.
    std::string plain(const Value& value) const;
    /// Flattens a dict of dicts: keys are joined with ".", values are plain texts. Returns at most 1,000;
    /// none for another value.
    std::vector<NamedText> flattened(const Value& dict) const;

private:
    void write(std::string& out, const Value& value, std::size_t maxBytes, int depth) const;
    void writeContainer(std::string& out, const Value& value, std::size_t maxBytes, int depth) const;
    void flatten(std::vector<NamedText>& out, const std::string& prefix, const Value& value, int depth) const;

    const RecordStore& m_store;
    const StringPool& m_strings;
    const std::vector<PoolKey>& m_pools;
};

} // namespace highwater
