#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::test {

/// Golden files contain reviewed output of the program: tests/golden/FOLDER/NAME. One command writes all of
/// them again, and `git diff tests/golden` then shows the changes:
///
/// HIGHWATER_UPDATE_GOLDENS=1 tests/run -R Golden
///
/// (or the built highwater_tests with --gtest_filter='*Golden*'; tests that use goldens have that word in
/// their name). Tests that wrote files count as skipped, and as failed if CI is set.
/// HIGHWATER_KEEP_DOCUMENTS=FOLDER keeps the complete texts there. If you do this at two commits and compare
/// them, you see the lines behind a changed hash.

/// Compares a text with tests/golden/NAME, ignoring parts that depend on machine and version. If they differ,
/// fails the current test and shows the first differing lines.
void expectGolden(const std::string& name, const std::string& text);

/// Fails the current test if tests/golden/FOLDER has a file that is not among `names`, or lacks one of them,
/// because a golden that is never compared proves nothing. While goldens are written, files that belong to no
/// test are removed.
void expectNoOtherGoldens(const std::string& folder, std::vector<std::string> names);

/// Keeps a complete document of which a golden has only counts and hashes. Does nothing unless requested (see
/// above).
void keepDocument(const std::string& name, std::string_view text);

/// Returns the first differing lines of two texts with their line numbers, as "-12 old" and "+12 new".
std::string firstDifferences(std::string_view before, std::string_view after, std::size_t mostLines = 20);

/// Returns the lines as views into the text. A line end at the end of the text begins no further line.
std::vector<std::string_view> linesOf(std::string_view text);

/// Removes everything from a text that another checkout, machine or version would write differently.
std::string withoutMachine(std::string text);

} // namespace highwater::test
