#pragma once

#include <string>
#include <vector>

#include "importers/pickle/object_factory.h"

namespace highwater::test {

/// Keeps every container unchanged and renders values as Python prints them, for tests of the readers alone.
///
/// With `internPairs`, tuples are interned, and so are lists made from several tuples at once, as the
/// machine's cache of reference lists requires. Both settings must give the same result.
class PlainFactory : public ObjectFactory
{
public:
    explicit PlainFactory(bool internPairs = false)
        : m_internPairs(internPairs)
    {
    }

    StringId string(std::string_view text) override { return m_strings.intern(text); }
    std::string_view text(const Value& value) const override { return m_strings.view(value.string()); }
    Value emptyList() override { return make(kEmptyList); }
    Value emptyDict() override { return make(kDict); }
    Value tuple(std::span<Value> items) override;
    Result<void> append(Value& list, std::span<Value> items) override;
    Result<void> setItems(Value& dict, std::span<Value> keysAndValues) override;
    bool isList(const Value& value) const override;
    bool isDict(const Value& value) const override { return value.isObject(kDict); }
    bool isInterned(const Value& value) const override;
    std::size_t memoryBytes() const override { return m_containers.size() * 64 + m_strings.memoryBytes(); }

    std::string render(const Value& value, int depth = 0) const;
    std::size_t containerCount() const { return m_containers.size(); }

private:
    static constexpr std::uint8_t kEmptyList = 0;
    static constexpr std::uint8_t kList = 1;
    static constexpr std::uint8_t kDict = 2;
    static constexpr std::uint8_t kTuple = 3;
    static constexpr std::uint8_t kTupleList = 4; ///< interned

    Value make(std::uint8_t type);
    std::string join(const std::vector<Value>& items, int depth) const;

    bool m_internPairs;
    StringPool m_strings;
    std::vector<std::vector<Value>> m_containers;
};

struct PickleReading
{
    std::string value; ///< rendered value; after an error, the salvaged value
    std::optional<Error> error;
};

/// Runs the machine over these bytes, at most `piece` bytes per read.
PickleReading readPickle(const std::string& bytes, std::size_t piece = 1 << 20, bool internPairs = false,
    std::uint64_t maxMemoryBytes = 1 << 30);

} // namespace highwater::test
