#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/trace/trace.h"

namespace highwater::test {

/// Numbers that are the same on every machine for the same seed.
class Random
{
public:
    explicit Random(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    /// Returns a number in [0, bound).
    std::int64_t below(std::int64_t bound)
    {
        return static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(bound));
    }
    bool oneIn(std::int64_t bound) { return below(bound) == 0; }

private:
    std::mt19937_64 m_engine;
};

struct RandomTraceOptions
{
    std::int64_t events = 300;
    bool consistent = true; ///< false for frees, allocations and blocks in random order
    bool times = true; ///< in order, with ties
    std::int64_t maxBytes = 1 << 20; ///< most bytes of one allocation
};

/// Returns one device with allocations made before recording began (freed or not), reused addresses, delayed
/// frees, segment events, out-of-memory events, several stacks, streams and pools, and cached blocks at the
/// end.
std::shared_ptr<const Trace> randomTrace(std::uint32_t seed, const RandomTraceOptions& options = {});

/// Returns a selection of `count` events in order, possibly including −1.
std::vector<std::int64_t> someEvents(Random& random, std::int64_t count);

} // namespace highwater::test
