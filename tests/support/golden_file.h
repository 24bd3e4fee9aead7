#pragma once

#include <string>

namespace highwater::test {

/// Compares a text with tests/golden/NAME and fails the current test where they differ. With
/// HIGHWATER_UPDATE_GOLDENS=1 in the environment the file is written instead.
void expectGolden(const std::string& name, const std::string& text);

/// A long text as its first and last lines, the number of lines, and a 64-bit FNV-1a hash of all of it.
std::string abridged(const std::string& text, std::size_t firstLines, std::size_t lastLines);

} // namespace highwater::test
