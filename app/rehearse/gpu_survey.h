#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/rehearse/verdict.h"
#include "core/run/gpu_models.h"

namespace highwater::rehearse {

/// GPUs of one compute capability. They have the same number formats, attention kernels and workspaces, so
/// one rehearsal serves all of them. They differ in the number of multiprocessors, which changes a few small
/// allocations, and in memory, which a replay takes into account.
struct GpuSet
{
    std::vector<GpuModel> gpus; ///< never empty, smallest memory first

    /// Returns the GPU that is rehearsed: the largest, so that a script which asks for the memory is not
    /// limited by it.
    const GpuModel& rehearsed() const { return gpus.back(); }
    std::string capability() const; ///< "8.6"
};

/// Returns the sets in the order of their first GPU. GPUs without a profile are left out.
std::vector<GpuSet> gpuSets(const std::vector<GpuModel>& gpus);

/// Memory of the simulated GPU in a rehearsal that is to run without a limit.
inline constexpr Bytes kUnlimitedMemory = 1024 * kGiB;

/// The memory that a run without a limit requests on one device, and a test of smaller devices.
class DeviceDemand
{
public:
    /// The trace must outlive the demand.
    DeviceDemand(const Trace& trace, DeviceIndex device);
    ~DeviceDemand();
    DeviceDemand(DeviceDemand&&) noexcept;
    DeviceDemand& operator=(DeviceDemand&&) noexcept;

    /// Returns the maximum of the bytes that the allocator reserves without a limit.
    Bytes reservedPeak() const;
    /// Judges a device on which PyTorch gets this memory. A run that reserves more without a limit may still
    /// fit, because the allocator returns cached memory before it fails; that is replayed. TooClose if the
    /// answer depends on the machine, or if what is live fits but no replay of this run can be trusted.
    /// `deviceMemory` is the GPU's whole memory, of which some settings are a share. O(events) at most.
    Fit fitWithin(const AvailableMemory& available, Bytes deviceMemory);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// A GPU, and how well the rehearsed run fits it.
struct JudgedGpu
{
    GpuModel gpu;
    AvailableMemory available;
    Fit fit = Fit::Failed;
    Bytes reservedPeakBytes = 0; ///< without a limit; of the device that reserves most; 0 if unknown
    /// Least available memory minus `reservedPeakBytes`, without cuDNN's workspaces until a caller subtracts
    /// them. Negative if the run fits only because cached memory is returned. 0 if unknown.
    Bytes spareBytes = 0;
};

/// Judges a GPU by all devices that the run used. `demands` must not be empty.
JudgedGpu judgeGpu(const GpuModel& gpu, std::vector<DeviceDemand>& demands);

} // namespace highwater::rehearse
