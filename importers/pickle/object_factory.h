#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "importers/pickle/value.h"

namespace highwater {

/// Gives meaning to the containers that a reader finds, from the inside out: a container is filled when its
/// contents are complete, so no tree of the whole file is ever built.
class ObjectFactory
{
public:
    virtual ~ObjectFactory() = default;

    virtual StringId string(std::string_view text) = 0;
    /// The text of a string value, empty for any other.
    virtual std::string_view text(const Value& value) const = 0;
    virtual Value emptyList() = 0;
    virtual Value emptyDict() = 0;
    virtual Value tuple(std::span<Value> items) = 0;
    /// Adds items to a list; may replace it by another value (a list of frames becomes a stack).
    virtual Result<void> append(Value& list, std::span<Value> items) = 0;
    /// Adds entries, given as key, value, key, value, …, to a dict; may replace it likewise.
    virtual Result<void> setItems(Value& dict, std::span<Value> keysAndValues) = 0;

    virtual bool isList(const Value& value) const = 0;
    virtual bool isDict(const Value& value) const = 0;
    /// Whether equal contents give this very value again and it never changes: then it may be reused.
    virtual bool isInterned(const Value& value) const = 0;
    /// From here on the containers that a broken file left open are closed: the innermost members of each are
    /// incomplete.
    virtual void beginSalvage() { }
    /// Sets a function that returns the reader's position in the file; empty: it has ended.
    virtual void setPlaceProvider(std::function<Place()>) { }
    /// Bytes held by all that was made so far.
    virtual std::size_t memoryBytes() const = 0;
};

} // namespace highwater
