#pragma once

#include <optional>
#include <string>

#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/torch_build.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Reads the value of `--torch`: a version, or a file that names one, such as a log of the target. Returns
/// nullopt for an empty value. Fails with BadRequest for other texts and for files that name no version.
Result<std::optional<rehearse::TorchVersion>> targetTorch(const std::string& option);

/// Returns the gap that the PyTorch of the rehearsal has no kernels for the GPU, and how to get some; empty
/// if it has, or if its kernels are not known.
std::string kernelGap(const RehearsalOutcome& outcome);

/// Prints that the target has another PyTorch than the rehearsal had, and the commands that install it.
/// Prints nothing unless both are known and of different series (`TorchVersion::series`).
void printOtherTorch(const RehearsalOutcome& outcome);

} // namespace highwater::cli
