#include "app/cli/rehearse/target_torch.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::TorchVersion;

} // namespace

Result<std::optional<TorchVersion>> targetTorch(const std::string& option)
{
    if (option.empty())
        return std::optional<TorchVersion>();
    if (auto version = rehearse::torchVersionFrom(option))
        return version;
    std::ifstream file(option, std::ios::binary);
    if (!file)
        return fail(ErrorCode::BadRequest,
            fmt::format("--torch takes a version, such as 2.4 or 2.4.1+cu121, or a file that names it; {} is "
                        "neither",
                sanitizedText(option)));
    constexpr std::size_t kMaxCharacters = 16 << 20;
    std::string text(kMaxCharacters, '\0');
    file.read(text.data(), kMaxCharacters);
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (auto version = rehearse::torchVersionIn(text))
        return version;
    return fail(ErrorCode::BadRequest, sanitizedText(option) + " names no version of PyTorch");
}

std::string kernelGap(const RehearsalOutcome& outcome)
{
    const GpuProfile& gpu = outcome.gpu.profile;
    const auto lacksKernels = [&](const ProcessVerdict& verdict) {
        return !rehearse::hasKernelsFor(verdict.process.architectures, gpu.major, gpu.minor);
    };
    if (std::ranges::none_of(outcome.processes, lacksKernels))
        return {};
    const auto installed = rehearse::torchVersionFrom(outcome.result.torchVersion);
    const TorchVersion other
        = rehearse::versionWithKernels(installed.value_or(TorchVersion{"2.10"}), gpu.major, gpu.minor);
    return fmt::format("PyTorch {} has no kernels for compute capability {}.{} ({}); {} has: {}",
        sanitizedText(outcome.result.torchVersion), gpu.major, gpu.minor, outcome.gpu.name, other.text(),
        environmentCommand(other));
}

void printOtherTorch(const RehearsalOutcome& outcome)
{
    if (!outcome.hasOtherTorch())
        return;
    printOut(
        "  rehearsed with PyTorch {0}, but the target has {1}; allocations may differ by several percent\n"
        "    to rehearse with {1}: {2}\n    then install there what the script imports\n",
        sanitizedText(outcome.result.torchVersion), outcome.target->text(),
        environmentCommand(*outcome.target));
}

} // namespace highwater::cli
