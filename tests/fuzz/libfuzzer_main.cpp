#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "tests/fuzz/sections.h"
#include "tests/fuzz/targets.h"

namespace {

const highwater::fuzz::Target& namedTarget()
{
    const char* const wanted = std::getenv("HIGHWATER_FUZZ_TARGET");
    for (const highwater::fuzz::Target& target : highwater::fuzz::targets())
        if (wanted && std::string_view(wanted) == target.name)
            return target;
    std::fprintf(stderr, "HIGHWATER_FUZZ_TARGET is to be one of");
    for (const highwater::fuzz::Target& target : highwater::fuzz::targets())
        std::fprintf(stderr, " %s", target.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
}

/// Returns the target that HIGHWATER_FUZZ_TARGET names. The command line belongs to libFuzzer.
const highwater::fuzz::Target& wantedTarget()
{
    static const highwater::fuzz::Target& target = namedTarget();
    return target;
}

} // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

/// In a file with sections, every second change is made inside a section, and the checksums are updated.
extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    constexpr std::size_t kMaxAdded = 4096;
    const auto change = [](std::string section) {
        const std::size_t before = section.size();
        section.resize(before + kMaxAdded);
        section.resize(
            LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(section.data()), before, section.size()));
        return section;
    };
    if (wantedTarget().hasSections && seed % 2 == 0) {
        const std::optional<std::string> changed = highwater::fuzz::withSectionChanged(
            {reinterpret_cast<const char*>(data), size}, seed / 2, change);
        if (changed && changed->size() <= maxSize) {
            std::ranges::copy(*changed, data);
            return changed->size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    wantedTarget().run({reinterpret_cast<const char*>(data), size});
    return 0;
}
