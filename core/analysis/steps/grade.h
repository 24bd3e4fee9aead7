#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace highwater {

/// The certainty of an inferred statement.
enum class Grade : std::uint8_t
{
    A, ///< decidable from the data
    B, ///< strong inference, few ways to be wrong
    C, ///< a hint, to be shown as a question
};

inline constexpr std::size_t kGradeCount = 3;

/// Returns "A", "B" or "C".
constexpr std::string_view toText(Grade grade)
{
    constexpr std::string_view kNames[] = {"A", "B", "C"};
    return kNames[static_cast<std::size_t>(grade)];
}

/// Returns the grade with this letter; `Grade::C` for any other text.
constexpr Grade gradeFromText(std::string_view text)
{
    return text == toText(Grade::A) ? Grade::A : text == toText(Grade::B) ? Grade::B : Grade::C;
}

/// Returns "certain", "likely" or "guess", for people; files have the letter.
constexpr std::string_view inWords(Grade grade)
{
    constexpr std::string_view kWords[] = {"certain", "likely", "guess"};
    return kWords[static_cast<std::size_t>(grade)];
}

} // namespace highwater
