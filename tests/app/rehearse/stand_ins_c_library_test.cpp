#include <charconv>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

#include "app/rehearse/elf_symbols.h"
#include "app/rehearse/embedded_stand_ins.h"

namespace highwater::rehearse {

namespace {

/// Returns 34 for "GLIBC_2.34", and 0 for anything that is not a version of the C library.
int minorVersion(std::string_view node)
{
    constexpr std::string_view kPrefix = "GLIBC_2.";
    int minor = 0;
    if (node.starts_with(kPrefix))
        std::from_chars(node.data() + kPrefix.size(), node.data() + node.size(), minor);
    return minor;
}

} // namespace

/// The stand-ins are loaded into the user's Python, whose C library may be as old as that of Debian 10 or
/// RHEL 8.
TEST(StandIns, NeedNothingOfTheCLibraryThatIsNewerThanItsVersionTwoTwentyEight)
{
    const std::string_view library = embeddedStandIns();
    const auto symbols = readElfSymbols(std::as_bytes(std::span(library)));
    ASSERT_TRUE(symbols);
    int versioned = 0;
    for (const ImportedSymbol& symbol : symbols->imported) {
        versioned += minorVersion(symbol.version) > 0;
        EXPECT_LE(minorVersion(symbol.version), 28) << symbol.name << " needs " << symbol.version;
    }
    EXPECT_GT(versioned, 0); // versions were found
}

} // namespace highwater::rehearse
