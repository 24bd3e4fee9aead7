#pragma once

/// Classes of ASCII characters, independent of the locale. The functions also accept what a stream returns: a
/// byte, or −1 at the end, which belongs to no class. O(1).
namespace highwater {

/// True for '0' to '9'.
constexpr bool isDigit(int c)
{
    return c >= '0' && c <= '9';
}

/// True for 'a' to 'z' and 'A' to 'Z'.
constexpr bool isLetter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True for space, tab, line feed and carriage return: the white space that JSON allows between values.
constexpr bool isBlank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

} // namespace highwater
