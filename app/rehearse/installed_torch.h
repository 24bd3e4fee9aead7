#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// The PyTorch that a command would import.
struct InstalledTorch
{
    std::string python; ///< the interpreter
    std::string folder; ///< the package's folder
    std::string version; ///< "2.6.0+cu124"
    int cudaVersion = 0; ///< 12040
    int cudnnVersion = 0; ///< 90100; 0 if the package does not name it
    int ncclVersion = 0; ///< 22105; 0 if the package does not name it
    std::vector<std::string> libraries; ///< shared libraries of all packages that may need CUDA
};

/// Finds the PyTorch of the command's Python (`findPython`), which then runs a short script that does not
/// import PyTorch. Fails with BadRequest and a sentence if there is no PyTorch, or if it has no CUDA or an
/// unsupported one; and as `findPython` does.
Result<InstalledTorch> findInstalledTorch(const std::vector<std::string>& command);

} // namespace highwater::rehearse
