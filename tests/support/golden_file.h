#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::test {

/// Golden files hold what the program said when somebody last looked: tests/golden/FOLDER/NAME. One command
/// writes all of them anew, after which `git diff tests/golden` shows what changed:
///
///     HIGHWATER_UPDATE_GOLDENS=1 tests/run -R Golden
///
/// (or the built highwater_tests with --gtest_filter='*Golden*'; names of tests that use goldens hold that
/// word). Tests that wrote count as skipped, and as failed where CI is set. With
/// HIGHWATER_KEEP_DOCUMENTS=FOLDER the whole texts are kept there: made at two commits and compared, they
/// show the lines behind a changed hash.

/// Compares a text, less what depends on machine and version, with tests/golden/NAME and fails the current
/// test with the first lines that differ.
void expectGolden(const std::string& name, const std::string& text);

/// Fails the current test where tests/golden/FOLDER holds a file that is none of these or lacks one of them:
/// a golden that nothing compares shows nothing. While goldens are written anew, files of no test are
/// removed.
void expectNoOtherGoldens(const std::string& folder, std::vector<std::string> names);

/// Keeps a whole document of which a golden holds only counts and hashes; does nothing unless asked (see
/// above).
void keepDocument(const std::string& name, std::string_view text);

/// The first differing lines of two texts with the numbers that they have there, as "-12 old" and "+12 new".
std::string firstDifferences(std::string_view before, std::string_view after, std::size_t mostLines = 20);

/// Parts of the text, which they need; an end of line at its end begins no further one.
std::vector<std::string_view> linesOf(std::string_view text);

/// A text without what another checkout, machine or version would write differently.
std::string withoutMachine(std::string text);

} // namespace highwater::test
