#include "core/study/diagnosis/diagnosis.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text/name_text.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 21> kClassNames{"gpu-oom-too-big", "gpu-oom-leak",
    "gpu-oom-fragmentation", "gpu-oom-split", "gpu-oom-other-process", "gpu-oom-process-cap",
    "gpu-oom-allocation-limit", "gpu-oom-above-capacity", "gpu-oom-reserve", "gpu-oom-unknown", "driver-oom",
    "engine-no-room", "host-oom", "not-gpu-memory", "undecidable", "warnings", "fault", "clean", "cut-off",
    "untrusted", "nothing-examined"};

/// The rules whose findings report a failure of memory itself.
constexpr std::array<std::pair<std::string_view, DiagnosisClass>, 14> kFailureRules{
    {{"fragmentation", DiagnosisClass::Fragmentation}, {"divided-free-memory", DiagnosisClass::Split},
        {"too-big", DiagnosisClass::TooBig}, {"process-cap", DiagnosisClass::ProcessCap},
        {"reserve-too-small", DiagnosisClass::Reserve}, {"out-of-memory", DiagnosisClass::UnknownOom},
        {"above-capacity", DiagnosisClass::AboveCapacity}, {"not-on-device", DiagnosisClass::AboveCapacity},
        {"allocation-limit", DiagnosisClass::AllocationLimit},
        {"driver-out-of-memory", DiagnosisClass::DriverOom}, {"engine-no-room", DiagnosisClass::EngineNoRoom},
        {"host-out-of-memory", DiagnosisClass::HostOom}, {"unclear-failure", DiagnosisClass::Undecidable},
        {"corrupt-request", DiagnosisClass::Undecidable}}};

} // namespace

std::string_view toText(DiagnosisClass diagnosed)
{
    return kClassNames[static_cast<std::size_t>(diagnosed)];
}

bool isGpuOom(DiagnosisClass diagnosed)
{
    return toText(diagnosed).starts_with("gpu-oom");
}

bool Diagnosis::ranOut() const
{
    return isGpuOom(diagnosed);
}

std::optional<DiagnosisClass> failureClass(const Finding& finding)
{
    const auto rule
        = std::ranges::find(kFailureRules, finding.rule, &std::pair<std::string_view, DiagnosisClass>::first);
    return finding.kind != FindingKind::Fault || rule == kFailureRules.end() ? std::nullopt
                                                                             : std::optional(rule->second);
}

bool isFailure(const Finding& finding)
{
    return failureClass(finding).has_value();
}

std::string placeText(const FailurePlace& place)
{
    return codePlaceText(place.function, place.file, place.line);
}

} // namespace highwater
