#pragma once

#include <memory>
#include <string_view>

#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/detectors/rules.h"
#include "tests/support/trace_from_text.h"

namespace highwater::test {

/// A tiny trace with its study and the input of detectors.
struct DetectorCase
{
    explicit DetectorCase(std::string_view text)
        : trace(traceFromText(text))
        , study(*trace, 0)
        , input(study)
    {
    }
    DetectorCase(const DetectorCase&) = delete;
    DetectorCase& operator=(const DetectorCase&) = delete;

    std::shared_ptr<const Trace> trace;
    DeviceStudy study;
    DetectorInput input;
};

/// Returns the bytes of the only finding; −1 if there is none, −2 if there are several.
inline Bytes bytesOfOnly(const std::vector<Finding>& findings)
{
    return findings.empty() ? -1 : findings.size() > 1 ? -2 : findings.front().bytes;
}

} // namespace highwater::test
