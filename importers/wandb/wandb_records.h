#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/units.h"

namespace highwater::wandb {

/// The needed content of one record of the file. Its views point into the record.
struct RunRecord
{
    enum class Kind : std::uint8_t
    {
        Other,
        History, ///< values that the program logged at a step
        Stats, ///< measurements of the system monitor
        Console ///< text that the program printed
    };
    Kind kind = Kind::Other;
    std::optional<std::int64_t> step;
    Nanoseconds time = 0; ///< since the Unix epoch; 0 if unknown
    std::vector<std::pair<std::string, std::string_view>> items; ///< key, value as JSON text
    std::string_view text; ///< for Console; may begin and end within a line
};

/// Decodes a record. Returns kind Other for one without needed content, and the part before any damage.
RunRecord decodeRecord(std::string_view message);

} // namespace highwater::wandb
