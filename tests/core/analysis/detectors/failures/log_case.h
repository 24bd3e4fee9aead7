#pragma once

#include <string>

#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/import_bytes.h"

namespace highwater {

/// A log that is the only file of a run.
struct LogCase
{
    explicit LogCase(const std::string& text)
        : imported(test::importBytes(text))
    {
        input.auxiliaryFiles.push_back({"run.log", imported->trace});
    }

    Result<ImportedTrace> imported;
    DetectorInput input;
};

inline constexpr const char* kTooBig
    = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total "
      "capacity of 23.64 GiB of which 1.00 GiB is free. Including non-PyTorch memory, this "
      "process has 22.64 GiB memory in use. Of the allocated memory 21.00 GiB is allocated by "
      "PyTorch, and 1 GiB is reserved by PyTorch but unallocated.\n";
inline constexpr const char* kOtherProcess
    = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 3 has a "
      "total capacity of 23.64 GiB of which 1.00 GiB is free. Process 4711 has 10.00 GiB "
      "memory in use. Including non-PyTorch memory, this process has 12.64 GiB memory in "
      "use. Of the allocated memory 11 GiB is allocated by PyTorch, and 1 GiB is "
      "reserved by PyTorch but unallocated.\n";
inline constexpr const char* kContradiction
    = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 17.66 GiB. GPU 0 has a total capacity "
      "of 79.18 GiB "
      "of which 4.97 GiB is free. Of the allocated memory 100.77 GiB is allocated by PyTorch\n";

} // namespace highwater
