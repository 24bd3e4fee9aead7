#include "core/analysis/budget/gpu_fit.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/near_text.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

/// Returns a name for comparison: only letters, in lower case, and digits, without the words that drivers and
/// shops add.
std::string comparableName(std::string_view name)
{
    std::string text;
    for (const char c : name)
        if (c >= 'A' && c <= 'Z')
            text += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            text += c;
    for (const std::string_view word : {"nvidia", "geforce", "tesla", "sxm2", "sxm4", "sxm5", "pcie", "hbm2e",
             "hbm3e", "hbm3", "gb", "generation", "blackwell", "serveredition", "maxq", "workstationedition"})
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
            text.erase(at, word.size());
    return text;
}

/// True if the words, with or without "RTX", have this comparable name.
bool isNameOf(const std::string& name, std::string_view words)
{
    const std::string comparable = comparableName(words);
    return comparable == name || comparable == "rtx" + name;
}

/// True if the name is the beginning of the GPU's name, and ends there with a word: "L4" is not "L40S". The
/// name of a GPU does not mean its slices.
bool isFamilyOf(const std::string& name, const GpuModel& gpu)
{
    const std::string_view words = gpu.name;
    for (std::size_t blank = words.find(' '); blank != std::string_view::npos && !gpu.isSlice();
         blank = words.find(' ', blank + 1))
        if (isNameOf(name, words.substr(0, blank)))
            return true;
    return false;
}

/// Finds the GPU with exactly this name, else those that the driver names so, else all whose names begin
/// with it.
std::vector<GpuModel> gpusNamed(const std::string& wanted)
{
    const std::string name = comparableName(wanted);
    const auto those = [](auto matches) {
        std::vector<GpuModel> found;
        std::ranges::copy_if(gpuModels(), std::back_inserter(found), matches);
        return found;
    };
    std::vector<GpuModel> found = those([&](const GpuModel& gpu) { return isNameOf(name, gpu.name); });
    if (found.empty())
        found = those([&](const GpuModel& gpu) { return isNameOf(name, gpu.deviceName); });
    if (found.empty())
        found = those([&](const GpuModel& gpu) { return isFamilyOf(name, gpu); });
    return found;
}

/// Finds GPUs as `gpusNamed` does, but none for a text without a letter or digit.
std::vector<GpuModel> namedGpus(const std::string& text)
{
    return comparableName(text).empty() ? std::vector<GpuModel>() : gpusNamed(text);
}

/// Returns 24 for "24", "24 GB" and "24gb": the size with which a GPU is sold.
std::optional<int> gigabytesIn(std::string_view text)
{
    constexpr int kMaxGigabytes = 4096;
    int gigabytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gigabytes);
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    const bool isGigabytes = unit.empty() || unit == "GB" || unit == "gb" || unit == "Gb";
    return error == std::errc() && isGigabytes && gigabytes > 0 && gigabytes <= kMaxGigabytes
        ? std::optional(gigabytes)
        : std::nullopt;
}

/// Returns "24 GB", which reports as much as any common GPU sold with this size; nullopt if there is none.
std::optional<GpuModel> gpuSoldWith(int gigabytes)
{
    std::optional<GpuModel> sold;
    for (const GpuModel& gpu : commonGpus()) {
        if (gpu.nominalGigabytes != gigabytes)
            continue;
        if (!sold)
            sold = {fmt::format("{} GB", gigabytes), gigabytes, gpu.leastReported, gpu.mostReported,
                "the common GPUs of this size"};
        sold->leastReported = std::min(sold->leastReported, gpu.leastReported);
        sold->mostReported = std::max(sold->mostReported, gpu.mostReported);
    }
    return sold;
}

std::vector<std::string> namesOf(const std::vector<GpuModel>& gpus)
{
    std::vector<std::string> names;
    for (const GpuModel& gpu : gpus)
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
    const std::string meant = didYouMean(name, namesOf(gpuModels()));
    if (!meant.empty())
        return fmt::format("there is no GPU \"{}\"{} (or a size such as 24GiB)", quoted, meant);
    return fmt::format(
        "there is no GPU \"{}\" (common: {}; the manual lists {} more; or a size such as 24GiB)", quoted,
        fmt::join(namesOf(commonGpus()), ", "), gpuModels().size() - commonGpus().size());
}

} // namespace

Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names)
{
    if (names.empty())
        return commonGpus();
    std::vector<GpuModel> gpus;
    for (const std::string& name : names) {
        std::vector<GpuModel> found = namedGpus(name);
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

Result<DeviceCapacity> capacityFromText(const std::string& text)
{
    if (const std::vector<GpuModel> named = namedGpus(text); named.size() == 1)
        return chosenCapacity(named.front());
    else if (named.size() > 1)
        return fail(ErrorCode::BadRequest,
            fmt::format("several GPUs have this name: {}", fmt::join(namesOf(named), ", ")));
    if (const std::optional<int> gigabytes = gigabytesIn(text)) {
        if (const std::optional<GpuModel> gpu = gpuSoldWith(*gigabytes))
            return chosenCapacity(*gpu);
        return DeviceCapacity{*gigabytes * kGiB, CapacitySource::Chosen, {}, -1};
    }
    if (const std::optional<Bytes> size = parseSize(text); size && *size > 0)
        return DeviceCapacity{*size, CapacitySource::Chosen, {}, -1};
    return fail(ErrorCode::BadRequest, unknownGpuText(text));
}

DeviceCapacity chosenCapacity(const GpuModel& gpu)
{
    return {gpu.leastReported, CapacitySource::Chosen, gpu.name, -1};
}

DeviceCapacity savedCapacity(Bytes bytes, std::string gpu)
{
    DeviceCapacity saved{bytes, CapacitySource::Chosen, std::move(gpu), -1};
    saved.bytes = gpuOfCapacity(saved).leastReported;
    return saved;
}

GpuModel gpuOfCapacity(const DeviceCapacity& capacity)
{
    std::optional<GpuModel> gpu;
    if (const std::optional<int> gigabytes = gigabytesIn(capacity.gpu))
        gpu = gpuSoldWith(*gigabytes);
    else if (const std::vector<GpuModel> named = namedGpus(capacity.gpu); named.size() == 1)
        gpu = named.front();
    if (gpu && gpu->leastReported <= capacity.bytes && capacity.bytes <= gpu->mostReported)
        return *std::move(gpu);
    const std::string name = capacity.gpu.empty() ? formatBytes(capacity.bytes) : quotedText(capacity.gpu);
    return {name, 0, capacity.bytes, capacity.bytes, "the given size"};
}

std::string_view toText(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return "fits";
    case FitVerdict::TooClose: return "too-close";
    case FitVerdict::DoesNotFit: break;
    }
    return "does-not-fit";
}

std::optional<Bytes> GpuFit::leftBytes() const
{
    return verdict == FitVerdict::Fits && !moreSteps ? std::optional(headroom) : std::nullopt;
}

std::optional<Bytes> GpuFit::shortBytes() const
{
    return verdict == FitVerdict::DoesNotFit && doubt == FitDoubt::None ? std::optional(-headroom)
                                                                        : std::nullopt;
}

std::string_view GpuFit::word() const
{
    if (doubt == FitDoubt::RanOut)
        return "no: ran out of memory";
    if (doubt == FitDoubt::Grows)
        return "no: it leaks";
    switch (verdict) {
    case FitVerdict::Fits: return isSoFar() ? "fits so far" : "fits";
    case FitVerdict::TooClose: return "too close";
    case FitVerdict::DoesNotFit: break;
    }
    return "no";
}

std::string GpuFit::answer() const
{
    std::string text(word());
    if (moreSteps)
        text += *moreSteps > 0 ? fmt::format(", ≈{}", counted(*moreSteps, "more step", "more steps"))
                               : ", <1 more step";
    return text;
}

GpuFit fitGpu(const NeededMemory& needed, const GpuModel& gpu, Bytes leftOut)
{
    const bool isTooMuch = needed.least > gpu.mostReported;
    const Bytes bytes = isTooMuch ? needed.least : needed.most;
    GpuFit fit{gpu.name, gpu.leastReported, bytes <= gpu.leastReported, gpu.leastReported - bytes - leftOut};
    fit.isTight = fit.fits && fit.headroom < 0;
    fit.verdict = isTooMuch        ? FitVerdict::DoesNotFit
        : fit.fits && !fit.isTight ? FitVerdict::Fits
                                   : FitVerdict::TooClose;
    return fit;
}

std::string_view verdictText(const GpuFit& fit)
{
    switch (fit.doubt) {
    case FitDoubt::Grows: return "grows";
    case FitDoubt::RanOut: return "ran-out";
    case FitDoubt::AtLeast: return "at-least";
    case FitDoubt::None: break;
    }
    if (fit.isTooClose())
        return "tight";
    return fit.fits ? "fits" : "too-small";
}

std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& gpus, Bytes leftOut)
{
    std::vector<GpuFit> fits;
    for (const GpuModel& gpu : gpus)
        fits.push_back(fitGpu({expected, expected}, gpu, leftOut));
    return fits;
}

} // namespace highwater
