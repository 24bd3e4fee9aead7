#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/base/hash.h"

namespace highwater {

/// What is reached through one call path: how many blocks, of which sizes. Equal for equal multisets, and
/// different ones are very unlikely to be equal.
struct PathSignature
{
    std::uint32_t count = 0;
    Bytes bytes = 0;
    std::uint64_t mix = 0; ///< sum over the blocks

    void add(Bytes size)
    {
        ++count;
        bytes += size;
        mix += mixOf(size);
        doubled += mixOf(size * 2);
    }
    /// Of the same tensors with elements of twice the width.
    PathSignature widened() const { return {count, bytes * 2, doubled, 0}; }
    auto key() const { return std::tie(count, bytes, mix); }
    bool operator==(const PathSignature& other) const { return key() == other.key(); }
    bool operator<(const PathSignature& other) const { return key() < other.key(); }

    std::uint64_t doubled = 0; ///< `mix` of sizes twice as large

private:
    static std::uint64_t mixOf(Bytes size)
    {
        std::uint64_t hash = static_cast<std::uint64_t>(size) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
        return hash * 0xBF58476D1CE4E5B9ull;
    }
};

/// Blocks of a moment that were made before training, or are weights, and are no gradients or states, by call
/// path. Refers to the study.
class LoadedBlocks
{
public:
    /// O(blocks × depth of their stacks).
    LoadedBlocks(const DeviceStudy& study, std::int64_t event);

    /// Paths that hold the same tensors, or the same in half the precision, as far out as they differ from
    /// what calls them; empty: none do. Those that hold nearly the same count where these are larger: a
    /// buffer more or less, or one that has no other precision, does not matter, and at least `least` bytes
    /// do.
    std::vector<StackId> copies(Bytes least) const;

    /// Whether so many bytes are most of the loaded ones: otherwise they may be layers of one model.
    bool areMost(Bytes bytes) const { return bytes * 2 >= m_bytes; }

    /// What is made below a path, ascending.
    std::vector<AllocationIndex> below(StackId node) const;

private:
    bool isLoaded(AllocationIndex i) const;
    void add(AllocationIndex i);
    bool isOutermost(std::uint32_t node, const PathSignature& signature) const;
    bool leadsTo(StackId from, StackId to) const;
    std::vector<StackId> equalCopies() const;
    std::vector<StackId> nearCopies(Bytes least) const;
    template <typename Nodes>
    Bytes bytesThrough(const Nodes& nodes) const;

    const DeviceStudy& m_study;
    StackRoles m_roles; ///< what a forward or an optimizer makes is not loaded
    NumberMap<std::uint32_t, PathSignature> m_ofNode; ///< by stack id: those that loaded blocks have
    std::vector<AllocationIndex> m_loaded;
    Bytes m_bytes = 0; ///< of all that was loaded
};

} // namespace highwater
