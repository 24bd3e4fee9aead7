#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "core/base/text_format.h"

namespace highwater {

/// The reason why an operation failed. The command line maps these to exit codes.
enum class ErrorCode
{
    CannotRead, ///< The operating system refused (missing file, permissions, I/O error)
    UnknownFormat, ///< Readable, but not a known format
    Malformed, ///< Known format, but damaged, at `place` if that is known
    Truncated, ///< Known format, but the file ends early
    Refused, ///< Requires something this program never does (executing code)
    LimitExceeded, ///< Larger than the limits in force (memory, decompressed bytes, nesting)
    Cancelled, ///< The caller asked to stop; not a failure
    BadRequest, ///< The request is invalid, or the data does not contain what it asks for
};

/// A position in a file: a byte offset (in the decompressed content) or a 1-based line.
struct Place
{
    enum class Unit
    {
        Byte,
        Line
    };
    Unit unit = Unit::Byte;
    std::uint64_t number = 0;

    static Place byte(std::uint64_t offset) { return {Unit::Byte, offset}; }
    static Place line(std::uint64_t number) { return {Unit::Line, number}; }
    bool operator==(const Place&) const = default;
};

/// Returns "byte 6,466" or "line 3".
inline std::string toText(const Place& place)
{
    return (place.unit == Place::Unit::Byte ? "byte " : "line ") + formatCount(place.number);
}

/// One clear sentence, without the file name or a final full stop, and the place if it is known.
struct Error
{
    ErrorCode code = ErrorCode::Malformed;
    std::string message;
    std::optional<Place> place;
};

/// Returns "the message (at byte 10)"; without a place, only the message.
inline std::string toText(const Error& error)
{
    return error.place ? error.message + " (at " + toText(*error.place) + ")" : error.message;
}

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::optional<Place> place = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), place});
}

} // namespace highwater
