#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/base/hash.h"

namespace highwater {

/// A fingerprint of the blocks allocated through one call path: their number and sizes. Equal multisets of
/// sizes have equal fingerprints; different ones almost certainly have different fingerprints.
struct PathSignature
{
    std::uint32_t count = 0;
    Bytes bytes = 0;
    std::uint64_t sizeHash = 0; ///< sum of the hashed sizes

    void add(Bytes size)
    {
        ++count;
        bytes += size;
        sizeHash += hashOfSize(size);
        doubledSizeHash += hashOfSize(size * 2);
    }
    /// Returns the signature of the same tensors with elements twice as wide, which cannot be widened again.
    PathSignature widened() const { return {count, bytes * 2, doubledSizeHash, 0}; }
    auto key() const { return std::tie(count, bytes, sizeHash); }
    bool operator==(const PathSignature& other) const { return key() == other.key(); }
    bool operator<(const PathSignature& other) const { return key() < other.key(); }

    std::uint64_t doubledSizeHash = 0; ///< `sizeHash` for sizes twice as large

private:
    static std::uint64_t hashOfSize(Bytes size)
    {
        std::uint64_t hash = static_cast<std::uint64_t>(size) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
        return hash * 0xBF58476D1CE4E5B9ull;
    }
};

/// The loaded blocks that are alive at an event, by call path: weights and uncategorized blocks with a known
/// stack that belongs to no phase. The study must outlive this object.
class LoadedBlocks
{
public:
    /// Costs O(blocks × depth of their stacks).
    LoadedBlocks(const DeviceStudy& study, std::int64_t event);

    /// Returns the call paths that allocate copies of one model: the same tensors, or the same ones in half
    /// the precision. Each path is the outermost stack node that leads to exactly its blocks, at least eight.
    /// Empty if there are none.
    ///
    /// Two paths with nearly the same tensors, and at least `leastBytes` each, are returned instead if they
    /// have more bytes: an additional buffer, or a buffer that is not converted, does not matter. This search
    /// is skipped if there are more than 256 such paths. O(paths × loaded blocks × depth + paths² × sizes).
    std::vector<StackId> copies(Bytes leastBytes) const;

    /// True if this many bytes are at least half of all loaded bytes. If not, equal parts may be layers of
    /// one model.
    bool areMostLoadedBytes(Bytes bytes) const { return bytes * 2 >= m_bytes; }

    /// Returns the loaded blocks allocated below a call path, ascending.
    std::vector<AllocationIndex> below(StackId node) const;

private:
    bool isLoaded(AllocationIndex i) const;
    void add(AllocationIndex i);
    bool isOutermost(std::uint32_t node, const PathSignature& signature) const;
    bool leadsTo(StackId stack, StackId node) const;
    std::vector<StackId> equalCopies() const;
    std::vector<StackId> nearCopies(Bytes leastBytes) const;
    template <typename Nodes>
    Bytes bytesThrough(const Nodes& nodes) const;

    const DeviceStudy& m_study;
    StackRoles m_roles; ///< distinguishes loaded blocks from those that a forward or an optimizer makes
    /// By stack id, only for stacks of loaded blocks
    NumberMap<std::uint32_t, PathSignature> m_signatureOfNode;
    std::vector<AllocationIndex> m_loaded;
    Bytes m_bytes = 0; ///< total of all loaded blocks
};

} // namespace highwater
