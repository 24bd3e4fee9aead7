#include "core/analysis/budget/gpu_fit.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/near_text.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

/// Returns a name for comparison: only letters, in lower case, and digits, without the words that drivers and
/// shops add.
std::string comparableName(const std::string& name)
{
    std::string text;
    for (const char c : name)
        if (c >= 'A' && c <= 'Z')
            text += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            text += c;
    for (const std::string_view word :
        {"nvidia", "geforce", "tesla", "sxm2", "sxm4", "sxm5", "pcie", "hbm2e", "hbm3e", "hbm3", "gb"})
        if (const std::size_t at = text.find(word); at != std::string::npos)
            text.erase(at, word.size());
    return text;
}

/// Finds the GPU with exactly this name, else all whose names begin with it.
std::vector<GpuModel> gpusNamed(const std::string& wanted)
{
    const std::string name = comparableName(wanted);
    std::vector<GpuModel> found;
    for (const GpuModel& gpu : gpuModels()) {
        const std::string fullName = comparableName(gpu.name);
        if (fullName == name || "rtx" + name == fullName)
            return {gpu};
        // "L4" does not match "L40S": the match must end at a word boundary of the GPU's name.
        const std::string_view words = gpu.name;
        for (std::size_t blank = words.find(' '); blank != std::string_view::npos;
             blank = words.find(' ', blank + 1))
            if (comparableName(std::string(words.substr(0, blank))) == name)
                found.push_back(gpu);
    }
    return found;
}

std::vector<std::string> knownNames()
{
    std::vector<std::string> names;
    for (const GpuModel& gpu : gpuModels())
        names.push_back(gpu.name);
    return names;
}

/// Sizes below this are rejected, because "--gpu 24" cannot mean 24 bytes.
constexpr Bytes kSmallestSize = 64 * kMiB;

std::string unknownGpuText(const std::string& name)
{
    const std::string quoted = quotedText(name);
    if (const std::optional<Bytes> size = parseSize(name))
        return fmt::format(
            "there is no GPU of {}; give a size with its unit, as in 24GiB", formatBytes(*size));
    const std::string meant = didYouMean(name, knownNames());
    if (!meant.empty())
        return fmt::format("there is no GPU \"{}\"{} (or a size such as 24GiB)", quoted, meant);
    return fmt::format(
        "there is no GPU \"{}\" (known: {}; or a size such as 24GiB)", quoted, fmt::join(knownNames(), ", "));
}

} // namespace

Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names)
{
    if (names.empty())
        return gpuModels();
    std::vector<GpuModel> gpus;
    for (const std::string& name : names) {
        std::vector<GpuModel> found
            = comparableName(name).empty() ? std::vector<GpuModel>() : gpusNamed(name);
        if (const std::optional<Bytes> size = parseSize(name);
            found.empty() && size && *size >= kSmallestSize)
            found.push_back({quotedText(name), 0, *size, *size, "the given size"});
        if (found.empty())
            return fail(ErrorCode::BadRequest, unknownGpuText(name));
        for (GpuModel& gpu : found)
            if (std::ranges::find(gpus, gpu.name, &GpuModel::name) == gpus.end())
                gpus.push_back(std::move(gpu));
    }
    return gpus;
}

std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& gpus, Bytes leftOut)
{
    std::vector<GpuFit> fits;
    for (const GpuModel& gpu : gpus) {
        const Bytes headroom = gpu.leastReported - expected;
        fits.push_back(
            {gpu.name, gpu.leastReported, headroom >= 0, headroom, headroom >= 0 && headroom < leftOut});
    }
    return fits;
}

} // namespace highwater
