#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "core/base/strong_id.h"

namespace highwater {

namespace detail {

/// The address of this constant is the key of the hash.
inline constexpr char kHashKeyAnchor = 0;

/// Multiplies to 128 bits and combines both halves with XOR.
inline std::uint64_t foldedProduct(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace detail

/// Hashes two numbers so that every bit depends on every bit of both (wyhash for two words). Addresses,
/// sizes, ids and packed pairs then spread evenly over a table whose size is a power of two, which uses only
/// the low bits.
inline std::uint64_t keyedHash(std::uint64_t key, std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t first = 0xa0761d6478bd642full;
    constexpr std::uint64_t second = 0xe7037ed1a0b428dbull;
    const std::uint64_t once = detail::foldedProduct(a ^ first ^ key, b ^ second);
    return detail::foldedProduct(once ^ first, key ^ second);
}

/// Hashes with a key derived from the program's load address, which the author of a file with colliding
/// numbers would have to guess. The hash may differ each time the program starts: nothing may depend on the
/// iteration order of a hash table.
inline std::size_t hashOf(std::uint64_t a, std::uint64_t b = 0)
{
    return keyedHash(reinterpret_cast<std::uintptr_t>(&detail::kHashKeyAnchor), a, b);
}

/// Hash for keys made of numbers: integers, enumerations, ids and pairs of them.
struct NumberHash
{
    template <typename T>
    std::size_t operator()(const T& value) const noexcept
    {
        return hashOf(number(value));
    }
    template <typename A, typename B>
    std::size_t operator()(const std::pair<A, B>& pair) const noexcept
    {
        return hashOf(number(pair.first), number(pair.second));
    }

private:
    template <typename T>
    requires std::integral<T> || std::is_enum_v<T>
    static std::uint64_t number(T value) { return static_cast<std::uint64_t>(value); }
    template <typename Tag>
    static std::uint64_t number(StrongId<Tag> id)
    {
        return id.value();
    }
};

/// Hash tables keyed by numbers. std::hash of a number is the number itself: in a table whose size is a power
/// of two, multiples of a power of two then collide in a few buckets, and robin_map doubles until memory runs
/// out.
template <typename Key, typename Value>
using NumberMap = tsl::robin_map<Key, Value, NumberHash>;
template <typename Key>
using NumberSet = tsl::robin_set<Key, NumberHash>;

} // namespace highwater
