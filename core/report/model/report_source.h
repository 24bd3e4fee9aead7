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
    std::string role; ///< "before", "after", "beside the run after"; empty for the only run
    std::string format; ///< As named by `highwater info`
    std::uint64_t fileBytes = 0; ///< 0 if unknown (standard input)
    std::string sha256; ///< 64 hexadecimal digits; empty if unknown
    std::string cutOff; ///< A sentence on why it ends early; empty if it is complete
    std::shared_ptr<const Trace> trace; ///< Its import messages are reported; null if it could not be read
    std::string error; ///< Why it could not be read

    bool operator==(const ReportSource&) const = default;
};

} // namespace highwater
