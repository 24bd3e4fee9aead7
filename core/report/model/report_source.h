#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// A source file of a report.
struct ReportSource
{
    std::string path; ///< As it was opened
    std::string role; ///< "before", "after", "with the run after", "rank 1 of the run after"; may be empty
    std::string format; ///< As named by `highwater info`
    std::uint64_t fileBytes = 0; ///< 0 if unknown (standard input)
    std::string sha256; ///< 64 hexadecimal digits; empty if unknown
    std::string cutOff; ///< A sentence on why the file ends early; empty if it is complete
    std::shared_ptr<const Trace> trace; ///< For its import messages; null if the file could not be read
    std::string error; ///< The reason why the file could not be read

    bool operator==(const ReportSource&) const = default;
};

} // namespace highwater
