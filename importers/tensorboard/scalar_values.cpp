#include "importers/tensorboard/scalar_values.h"

#include <bit>

#include "importers/protobuf/wire_reader.h"
#include "importers/source/little_endian.h"

namespace highwater::tensorboard {

namespace {

using protobuf::Field;
using protobuf::WireReader;

// Field numbers in TensorFlow's messages Event, Summary.Value and TensorProto.
enum EventField : std::uint32_t
{
    kWallTime = 1,
    kStep = 2,
    kSummary = 5
};
enum ValueField : std::uint32_t
{
    kTag = 1,
    kSimpleValue = 2,
    kTensor = 8
};
enum TensorField : std::uint32_t
{
    kType = 1,
    kContent = 4,
    kFloats = 5,
    kDoubles = 6,
    kIntegers = 7,
    kLongs = 10
};
enum TensorType : std::uint64_t
{
    kFloat = 1,
    kDouble = 2,
    kInt32 = 3,
    kInt64 = 9
};

/// Decodes one number of the given type; returns nothing if `encoded` is not exactly one number.
std::optional<double> numberFrom(std::string_view encoded, std::uint64_t type)
{
    const std::uint64_t bits = littleEndian(encoded.substr(0, 8));
    if (encoded.size() == 4 && type == kFloat)
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (encoded.size() == 4 && type == kInt32)
        return static_cast<std::int32_t>(bits);
    if (encoded.size() == 8 && type == kDouble)
        return std::bit_cast<double>(bits);
    if (encoded.size() == 8 && type == kInt64)
        return static_cast<double>(static_cast<std::int64_t>(bits));
    return std::nullopt;
}

/// Decodes a packed list of varints; returns nothing if it is not exactly one number.
std::optional<double> packedInteger(std::string_view encoded)
{
    WireReader reader(encoded);
    Field field;
    if (!reader.readVarint(field.value) || !reader.isAtEnd())
        return std::nullopt;
    return static_cast<double>(field.asInteger());
}

/// Returns the number in a TensorProto; nothing if it has none or several.
std::optional<double> scalarTensor(std::string_view message)
{
    WireReader reader(message);
    Field field;
    std::uint64_t type = 0;
    int numberFieldCount = 0;
    std::optional<double> value;
    std::string_view content;
    const auto take
        = [&](std::optional<double> number) { value = ++numberFieldCount == 1 ? number : std::nullopt; };
    while (reader.next(field)) {
        const bool isPacked = field.kind == Field::Kind::Bytes;
        switch (field.number) {
        case kType: type = field.value; break;
        case kContent: content = field.content; break;
        case kFloats: take(isPacked ? numberFrom(field.content, kFloat) : field.asFloat()); break;
        case kDoubles: take(isPacked ? numberFrom(field.content, kDouble) : field.asDouble()); break;
        case kIntegers:
        case kLongs:
            take(isPacked ? packedInteger(field.content) : static_cast<double>(field.asInteger()));
            break;
        default: break;
        }
    }
    return numberFieldCount > 0 ? value : numberFrom(content, type);
}

} // namespace

Event decodeEvent(std::string_view record)
{
    WireReader reader(record);
    Field field;
    Event event;
    while (reader.next(field)) {
        if (field.number == kWallTime && field.kind == Field::Kind::Fixed64)
            event.wallSeconds = field.asDouble();
        else if (field.number == kStep && field.kind == Field::Kind::Varint)
            event.step = field.asInteger();
        else if (field.number == kSummary && field.kind == Field::Kind::Bytes)
            event.summary = field.content;
    }
    event.isBroken = reader.isBroken();
    return event;
}

Scalar decodeScalar(std::string_view message)
{
    WireReader reader(message);
    Field field;
    Scalar scalar;
    while (reader.next(field)) {
        if (field.number == kTag && field.kind == Field::Kind::Bytes)
            scalar.tag = field.content;
        else if (field.number == kSimpleValue && field.kind == Field::Kind::Fixed32)
            scalar.value = field.asFloat();
        else if (field.number == kTensor && field.kind == Field::Kind::Bytes)
            scalar.value = scalarTensor(field.content);
    }
    return scalar;
}

} // namespace highwater::tensorboard
