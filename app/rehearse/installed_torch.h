#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// The PyTorch that a command would import.
struct InstalledTorch
{
    std::string python; ///< the interpreter
    std::string folder; ///< of the package
    std::string version; ///< "2.6.0+cu124"
    int cudaVersion = 0; ///< 12040
    int cudnnVersion = 0; ///< 90100; 0: the package does not say
    int ncclVersion = 0; ///< 22105; 0: the package does not say
    std::vector<std::string>
        libraries; ///< shared libraries that may ask for CUDA: of PyTorch and of other packages
};

/// Asks the command's Python (`pythonOf`) without importing PyTorch. Fails with BadRequest and a sentence: no
/// Python, no PyTorch, a build without CUDA, an unknown CUDA.
Result<InstalledTorch> findInstalledTorch(const std::vector<std::string>& command);

} // namespace highwater::rehearse
