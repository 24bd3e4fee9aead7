#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "importers/pickle/value.h"

namespace highwater {

/// Creates the objects of a file while a reader (of pickle or JSON) finds them, innermost first. Values refer
/// to the objects, which the factory owns. What is added to a container is complete, so the factory can turn
/// it into rows, and a tree of the whole file is never built.
class ObjectFactory
{
public:
    virtual ~ObjectFactory() = default;

    virtual StringId string(std::string_view text) = 0;
    /// Returns the text of a string value, and an empty text for any other value.
    virtual std::string_view text(const Value& value) const = 0;
    virtual Value emptyList() = 0;
    virtual Value emptyDict() = 0;
    virtual Value tuple(std::span<Value> items) = 0;
    /// Adds items to a list. May replace the list by another value (a list of frames becomes a stack), and
    /// changes `items`.
    virtual Result<void> append(Value& list, std::span<Value> items) = 0;
    /// Adds entries, given as key, value, key, value, …, to a dict. May replace the dict by another value (a
    /// dict of fields becomes a row), and changes `keysAndValues`.
    virtual Result<void> setItems(Value& dict, std::span<Value> keysAndValues) = 0;

    virtual bool isList(const Value& value) const = 0;
    virtual bool isDict(const Value& value) const = 0;
    /// True if the value never changes and equal contents yield an equal value, so that the value can be
    /// reused.
    virtual bool isInterned(const Value& value) const = 0;
    /// Announces that the containers left open by a broken file will now be closed. The last member of each
    /// may be incomplete.
    virtual void beginSalvage() { }
    /// Sets a function that returns the reader's position in the file. An empty function means the reader has
    /// ended.
    virtual void setPlaceProvider(std::function<Place()>) { }
    /// Returns the bytes that all created objects hold.
    virtual std::size_t memoryBytes() const = 0;
};

} // namespace highwater
