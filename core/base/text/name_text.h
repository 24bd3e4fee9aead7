#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater {

/// Returns the name of a function, file, step or annotation as all output shows it: sanitized, and shortened
/// if it is longer than 1 KiB. A shortened name keeps its beginning and end; between them are its length and
/// a hash that distinguishes it from similar names.
std::string nameText(std::string_view name);

/// Parses the number that ends a name: 30 of "step 30" and of "ProfilerStep#30"; nullopt if no digit ends it.
std::optional<std::int64_t> numberAtEnd(std::string_view name);

/// Returns a place in code as all texts show it: "forward (model.py:39)". `file` may be a whole path; only
/// its name is shown. A line of 0 is left out, and so is an empty function: "model.py:39".
std::string codePlaceText(std::string_view function, std::string_view file, std::int64_t line);
/// Returns the same text for "src/model.py:39" or "model.py" in place of file and line.
std::string codePlaceText(std::string_view function, std::string_view fileAndLine);
/// Returns file and line of such a text: "model.py:39" of "forward (model.py:39)". Empty if the text has no
/// function before them, or no line.
std::string_view fileAndLineOf(std::string_view place);

/// Returns a text for people in which each place has "()" after a function whose name would be read as part
/// of the sentence, such as a preposition: "allocated by to() (modeling_utils.py:3110)".
std::string withCallMarks(std::string_view text);

} // namespace highwater
