#pragma once

/// Kinds of ASCII characters, whatever the locale. They take what a stream gives as well: a byte, or −1 at
/// the end, which is of no kind. O(1).
namespace highwater {

/// '0' to '9'.
constexpr bool isDigit(int c)
{
    return c >= '0' && c <= '9';
}

/// 'a' to 'z' and 'A' to 'Z'.
constexpr bool isLetter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Space, tab, line feed and carriage return: what JSON allows between values.
constexpr bool isBlank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

} // namespace highwater
