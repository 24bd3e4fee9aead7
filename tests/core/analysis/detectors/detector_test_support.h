#pragma once

#include <memory>
#include <string_view>

#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/detectors/rules.h"
#include "tests/support/trace_from_text.h"

namespace highwater::test {

/// A tiny trace, its study and what detectors get of it.
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

/// Bytes of the only finding; −1 where there is none, −2 where there are several.
inline Bytes bytesOfOnly(const std::vector<Finding>& findings)
{
    return findings.empty() ? -1 : findings.size() > 1 ? -2 : findings.front().bytes;
}

} // namespace highwater::test
