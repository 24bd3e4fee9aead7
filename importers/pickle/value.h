#pragma once

#include <cstdint>

#include "core/base/string_pool.h"

namespace highwater {

/// A plain value of a file that is being read. It has 16 bytes and owns nothing. Texts and containers are
/// stored in the ObjectFactory, which alone knows the meaning of an object's `type` and `index`.
struct Value
{
    enum class Kind : std::uint8_t
    {
        None,
        Bool,
        Int,
        Float,
        String,
        Opaque,
        Object
    };

    Kind kind = Kind::None;
    std::uint8_t type = 0; ///< for an object
    /// For an integer: true if it is 2^63 or more, and `integer` has the bits of the unsigned number.
    bool unsignedBits = false;
    std::uint32_t index = 0; ///< for a string or object
    union {
        std::int64_t integer = 0; ///< also 0 and 1 for Bool
        double number;
        std::int64_t
            memoSlot; ///< for an object on the machine's stack, index in the memo plus one; 0 if none
    };

    static Value none() { return {}; }
    static Value ofBool(bool value) { return ofKind(Kind::Bool, value ? 1 : 0); }
    static Value ofInt(std::int64_t value) { return ofKind(Kind::Int, value); }
    static Value ofString(StringId id) { return ofIndex(Kind::String, 0, id.value()); }
    static Value object(std::uint8_t type, std::uint32_t index) { return ofIndex(Kind::Object, type, index); }
    /// Represents a value whose content is not kept, such as bytes or an integer of more than 64 bits.
    static Value opaque() { return ofKind(Kind::Opaque, 0); }
    static Value ofFloat(double value)
    {
        Value v;
        v.kind = Kind::Float;
        v.number = value;
        return v;
    }

    bool isObject(std::uint8_t wanted) const { return kind == Kind::Object && type == wanted; }
    bool isInt() const { return kind == Kind::Int; }
    bool isString() const { return kind == Kind::String; }
    StringId string() const { return kind == Kind::String ? StringId(index) : StringId(); }

private:
    static Value ofKind(Kind kind, std::int64_t integer)
    {
        Value v;
        v.kind = kind;
        v.integer = integer;
        return v;
    }
    static Value ofIndex(Kind kind, std::uint8_t type, std::uint32_t index)
    {
        Value v;
        v.kind = kind;
        v.type = type;
        v.index = index;
        return v;
    }
};
static_assert(sizeof(Value) == 16);

} // namespace highwater
