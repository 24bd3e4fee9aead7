#include "app/rehearse/torch_build.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <re2/re2.h>

namespace highwater::rehearse {

namespace {

/// A release, without the end of a nightly build's, and the build.
constexpr const char* kVersion = R"((\d\.\d{1,2}\b(?:\.\d{1,2})?)(?:\.?(?:dev|a|b|rc)\d+|\.\*)?(?:\+(\w+))?)";

re2::StringPiece piece(std::string_view text)
{
    return {text.data(), text.size()};
}

/// True if machine code for the architecture, such as "sm_86", or code that the driver compiles, such as
/// "compute_90", runs on the GPU. Machine code runs on GPUs of its major version that are not older. "90a" is
/// for exactly that GPU.
bool runsOn(std::string_view architecture, int major, int minor)
{
    const std::size_t bar = architecture.find('_');
    if (bar == std::string_view::npos)
        return false;
    int number = 0;
    const char* const end = architecture.data() + architecture.size();
    const auto read = std::from_chars(architecture.data() + bar + 1, end, number);
    const int wanted = major * 10 + minor;
    if (read.ec != std::errc() || number > wanted)
        return false;
    if (read.ptr != end && *read.ptr == 'a')
        return number == wanted;
    return architecture.starts_with("compute") || number / 10 == major;
}

} // namespace

std::string TorchVersion::series() const
{
    return release.substr(0, release.find('.', release.find('.') + 1));
}

std::optional<TorchVersion> torchVersionFrom(std::string_view text)
{
    static const RE2 kWhole(std::string("v?") + kVersion);
    TorchVersion version;
    if (!RE2::FullMatch(piece(text), kWhole, &version.release, &version.build))
        return std::nullopt;
    return version;
}

std::optional<TorchVersion> torchVersionIn(std::string_view text)
{
    // The word, then what logs, `pip list`, requirements and lock files put between it and the version.
    static const RE2 kNamed(std::string(R"re((?i)\b(?:py)?torch["']?(?:[ _]version)?(?: \(GPU\?\))?["']?)re")
        + R"re((?:\s*={1,3}\s*|\s*[:@]\s*|-|[ \t]+|"?\s*\n\s*version\s*=\s*)["']?)re" + kVersion);
    TorchVersion version;
    if (!RE2::PartialMatch(piece(text), kNamed, &version.release, &version.build))
        return std::nullopt;
    return version;
}

std::string environmentCommand(const TorchVersion& version)
{
    const std::string folder = "torch-" + version.series();
    const bool isWhole = version.release != version.series();
    return fmt::format(
        "python3 -m venv {0} && {0}/bin/pip install filelock fsspec jinja2 networkx numpy sympy "
        "typing-extensions && {0}/bin/pip install --no-deps 'torch=={1}{2}'{3}",
        folder, version.release, isWhole ? "" : ".*",
        version.build.empty() ? "" : " --index-url https://download.pytorch.org/whl/" + version.build);
}

bool hasKernelsFor(std::string_view architectures, int major, int minor)
{
    bool isKnown = false;
    while (!architectures.empty()) {
        const std::size_t end = std::min(architectures.find(' '), architectures.size());
        const std::string_view architecture = architectures.substr(0, end);
        if (runsOn(architecture, major, minor))
            return true;
        isKnown = isKnown || architecture.starts_with("sm_");
        architectures.remove_prefix(std::min(end + 1, architectures.size()));
    }
    return !isKnown;
}

TorchVersion versionWithKernels(const TorchVersion& installed, int major, int minor)
{
    // PyTorch's builds for CUDA 12.6 are the last with kernels for GPUs before 7.5. Those for 12.8 reach from
    // 7.5 to 12.0 (pytorch/pytorch #172352 and 175253).
    constexpr int kOldestOfNewBuilds = 75;
    if (major * 10 + minor < kOldestOfNewBuilds)
        return {installed.release, "cu126"};
    return {"2.10", "cu128"};
}

} // namespace highwater::rehearse
