#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace highwater {

/// What captions call the two sides of a comparison: "before" and "after" for two runs, "step 2" and "step 9"
/// for two moments of one run.
struct SideNames
{
    std::string before = "before";
    std::string after = "after";
    bool areMoments = false; ///< both sides are moments of one run

    /// Returns figures with the name of a side: "before 4 GiB in 18", or "step 2: 4 GiB in 18".
    std::string with(const std::string& side, const std::string& figures) const
    {
        return fmt::format("{}{} {}", side, areMoments ? ":" : "", figures);
    }
    /// Returns a noun with the name of a side: "Blocks before", or "Blocks, step 2".
    std::string caption(const std::string& noun, const std::string& side) const
    {
        return fmt::format("{}{}{}", noun, areMoments ? ", " : " ", side);
    }
};

/// Two moments of one run that are compared, by event.
struct ComparedEvents
{
    std::int64_t before = -1;
    std::int64_t after = -1;

    bool operator==(const ComparedEvents&) const = default;
};

} // namespace highwater
