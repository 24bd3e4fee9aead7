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
    /// In [0, bound).
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
    bool consistent = true; ///< false: frees, allocs and blocks come as chance has it
    bool times = true; ///< in order, with ties
    std::int64_t maxBytes = 1 << 20; ///< of one allocation
};

/// One device: allocations older than the trace (freed or not), addresses used again, delayed frees, segment
/// events, out-of-memory events, several stacks, streams and pools, cached blocks at the end.
std::shared_ptr<const Trace> randomTrace(std::uint32_t seed, const RandomTraceOptions& options = {});

/// Some of so many events in order, −1 among them.
std::vector<std::int64_t> someEvents(Random& random, std::int64_t count);

} // namespace highwater::test
