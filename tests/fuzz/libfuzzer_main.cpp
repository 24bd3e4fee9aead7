#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

/// The one that HIGHWATER_FUZZ_TARGET names: options and files are libFuzzer's own.
const highwater::fuzz::Target& wantedTarget()
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const highwater::fuzz::Target& target = wantedTarget();
    target.run({reinterpret_cast<const char*>(data), size});
    return 0;
}
