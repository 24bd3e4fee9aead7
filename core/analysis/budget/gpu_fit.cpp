#include "core/analysis/budget/gpu_fit.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

/// Lower-case letters and digits, without the words that drivers and shops add to a GPU's name.
std::string bare(const std::string& name)
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

/// The GPU with exactly this name, else all whose names or models begin with it.
std::vector<GpuModel> cardsNamed(const std::string& wanted)
{
    const std::string name = bare(wanted);
    std::vector<GpuModel> found;
    for (const GpuModel& card : gpuModels()) {
        const std::string full = bare(card.name);
        if (full == name || "rtx" + name == full)
            return {card};
        // "L4" does not match "L40S": the match must end at a word boundary of the GPU's name.
        const std::string_view words = card.name;
        for (std::size_t blank = words.find(' '); blank != std::string_view::npos;
             blank = words.find(' ', blank + 1))
            if (bare(std::string(words.substr(0, blank))) == name)
                found.push_back(card);
    }
    return found;
}

std::string knownNames()
{
    std::string text;
    for (const GpuModel& card : gpuModels())
        text.append(text.empty() ? "" : ", ").append(card.name);
    return text;
}

} // namespace

Result<std::vector<GpuModel>> chooseGpus(const std::vector<std::string>& names)
{
    if (names.empty())
        return gpuModels();
    std::vector<GpuModel> cards;
    for (const std::string& name : names) {
        std::vector<GpuModel> found = bare(name).empty() ? std::vector<GpuModel>() : cardsNamed(name);
        if (const std::optional<Bytes> size = parseSize(name); found.empty() && size && *size > 0)
            found.push_back({quotedText(name), 0, *size, *size, "a size that was given"});
        if (found.empty())
            return fail(ErrorCode::BadRequest,
                fmt::format("there is no card \"{}\" (known: {}; or a size such as 24GiB)", quotedText(name),
                    knownNames()));
        for (GpuModel& card : found)
            if (std::ranges::find(cards, card.name, &GpuModel::name) == cards.end())
                cards.push_back(std::move(card));
    }
    return cards;
}

std::vector<GpuFit> fitGpus(Bytes expected, const std::vector<GpuModel>& cards, Bytes leftOut)
{
    std::vector<GpuFit> fits;
    for (const GpuModel& card : cards) {
        const Bytes headroom = card.leastReported - expected;
        fits.push_back(
            {card.name, card.leastReported, headroom >= 0, headroom, headroom >= 0 && headroom < leftOut});
    }
    return fits;
}

} // namespace highwater
