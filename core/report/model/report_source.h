#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// A source file of a report.
struct ReportSource
{
    std::string path; ///< as it was opened
    std::string role; ///< "before", "after", "beside the run after"; empty: the only run
    std::string format; ///< as `highwater info` names it
    std::uint64_t fileBytes = 0; ///< 0: not known (standard input)
    std::string sha256; ///< 64 hexadecimal digits; empty: not known
    std::string cutOff; ///< why it ends early, a sentence; empty: it is complete
    std::shared_ptr<const Trace> trace; ///< its import messages are reported; null: it could not be read
    std::string error; ///< where it could not be read

    bool operator==(const ReportSource&) const = default;
};

} // namespace highwater
