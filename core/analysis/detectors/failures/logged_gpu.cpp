#include "core/analysis/detectors/failures/logged_gpu.h"

#include <algorithm>
#include <cstdlib>

#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/run/choice/run_evidence.h"

namespace highwater {

namespace {

/// True if a message and a recording show the same failure. PyTorch writes the free memory that it records.
bool isSameFailure(const OomEvent& oom, std::int64_t device, const OomFigures& figures)
{
    return figures.device.value_or(device) == device && figures.requested && figures.free
        && isSameRequest({oom.requestedBytes, 0}, *figures.requested)
        && std::abs(oom.deviceFreeBytes - figures.free->bytes) <= figures.free->rounding;
}

std::optional<LoggedFailure> messageOf(
    const OomEvent& oom, std::int64_t device, const std::vector<AuxiliaryFile>& files)
{
    for (std::size_t i = 0; i < files.size(); ++i)
        for (const LogFailure& failure : logFailures(*files[i].trace))
            if (const auto& figures = files[i].trace->logEvents[failure.event].figures;
                figures && isSameFailure(oom, device, *figures))
                return LoggedFailure{i, failure.event};
    return std::nullopt;
}

/// The capacities that logs state for one GPU, which count only if they agree.
class StatedCapacity
{
public:
    explicit StatedCapacity(std::int64_t device)
        : m_device(device)
    {
    }

    /// `device` is the number of the GPU, if it is stated.
    void add(const WrittenBytes& written, const std::optional<std::int64_t>& device)
    {
        if (written.bytes <= 0 || device.value_or(m_device) != m_device)
            return;
        if (!m_first)
            m_first = written;
        m_isAgreed
            = m_isAgreed && std::abs(written.bytes - m_first->bytes) <= written.rounding + m_first->rounding;
    }
    std::optional<WrittenBytes> agreed() const { return m_isAgreed ? m_first : std::nullopt; }
    bool isStated() const { return m_first.has_value(); }

private:
    std::int64_t m_device;
    std::optional<WrittenBytes> m_first;
    bool m_isAgreed = true;
};

/// Returns the capacity in the messages, which is the one that PyTorch sees, else the one in series. The
/// messages do not count if a request of the recording failed (`hasFailed`): they are about other failures.
std::optional<WrittenBytes> agreedCapacity(
    std::int64_t device, const std::vector<AuxiliaryFile>& files, bool hasFailed)
{
    StatedCapacity stated(device);
    for (const AuxiliaryFile& file : files)
        for (const LogEvent& event : file.trace->logEvents)
            if (!hasFailed && event.figures && event.figures->capacity)
                stated.add(*event.figures->capacity, event.figures->device);
    if (stated.isStated())
        return stated.agreed();
    for (const AuxiliaryFile& file : files)
        for (const CounterSeries& series : file.trace->counters)
            if (series.metric == "device_total" && series.unit == "bytes")
                for (const double value : series.value)
                    stated.add({static_cast<Bytes>(value), 0}, series.deviceOrdinal);
    return stated.agreed();
}

} // namespace

LoggedGpu loggedGpu(const DeviceStudy& study, const std::vector<AuxiliaryFile>& files)
{
    LoggedGpu logged;
    if (study.about().kind == DeviceKind::HostPinned)
        return logged;
    const std::vector<OomEvent>& ooms = study.figures.ooms;
    const std::int64_t device = study.about().ordinal;
    if (!ooms.empty() && ooms.back().deviceFreeBytes >= 0)
        logged.failure = messageOf(ooms.back(), device, files);
    std::optional<WrittenBytes> capacity;
    if (logged.failure) {
        const LogEvent& message = files[logged.failure->file].trace->logEvents[logged.failure->event];
        capacity = message.figures->capacity;
        if (message.figures->allowed && readOom(message).cause == OomCause::ProcessCap)
            logged.processLimit = message.figures->allowed->bytes;
    }
    if (!capacity)
        capacity = agreedCapacity(device, files, !ooms.empty());
    const std::optional<DeviceCapacity> known = knownCapacity(study.about(), ooms, study.curve);
    const Bytes least = std::max(known ? known->bytes : 0, study.figures.reservedPeakBytes);
    if (capacity && capacity->bytes + capacity->rounding >= least)
        logged.capacity = std::max(capacity->bytes, least);
    return logged;
}

std::optional<DeviceCapacity> recordedCapacity(const DeviceStudy& study, const LoggedGpu& logged)
{
    std::optional<DeviceCapacity> known = knownCapacity(study.about(), study.figures.ooms, study.curve);
    if (logged.capacity && (!known || known->isLowerBound()))
        return DeviceCapacity{*logged.capacity, CapacitySource::Log, {}, -1};
    return known;
}

} // namespace highwater
