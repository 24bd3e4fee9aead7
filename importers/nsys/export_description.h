#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "importers/nsys/records.h"
#include "importers/nsys/table_scan.h"

namespace highwater::nsys {

/// A row of TARGET_INFO_GPU.
struct GpuInfo
{
    std::int64_t id = 0;
    std::string name;
    std::optional<Bytes> totalMemory;
    std::optional<std::int64_t> cudaNumber; ///< CUDA's number for it if all GPUs are visible
};

/// A row of TARGET_INFO_CUDA_DEVICE, which says which GPU a process's device number refers to.
struct CudaDevice
{
    std::int64_t gpu = 0;
    std::int64_t number = 0;
    std::int64_t process = 0; ///< the operating system's number
};

/// The export's metadata about itself and the machine.
struct ExportDescription
{
    std::string product; ///< "NVIDIA Nsight Systems 2023.4.4.54"
    std::string schemaVersion;
    Nanoseconds offset = 0; ///< add it to every time in the file
    Clock clock = Clock::Own;
    std::optional<Nanoseconds> userTimeShift; ///< shift that the user applied to all times when exporting
    std::optional<bool> collectsMemory; ///< the recording's COLLECT_GPU_MEMORY_USAGE
    std::vector<GpuInfo> gpus;
    std::vector<CudaDevice> cudaDevices;
    std::map<GlobalId, std::string> processNames; ///< all processes of the machine, not only those recorded
    std::map<GlobalId, std::int64_t> ranks; ///< by process, from MPI_RANKS
    std::vector<std::string> losses; ///< messages of the recorder about lost data
};

/// Reads the small tables about the export. What is missing or damaged stays at its default.
ExportDescription describeExport(Database& database);

/// Returns the labels of an enum table by number, in lower case; empty if the export has no such table.
std::map<std::int64_t, std::string> enumLabels(Database& database, std::string_view table);

} // namespace highwater::nsys
