#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace highwater::rehearse {

/// A placeholder of a command and the numbers that may take its place, as in `--find batch=1:512`.
struct NumberRange
{
    std::string name; ///< "batch", for {batch} in the command
    std::int64_t first = 1;
    std::int64_t last = 1;
};

/// Reads "batch=1:512", with numbers from 1 to 1,000,000,000. Fails with BadRequest and a sentence.
Result<NumberRange> parseNumberRange(std::string_view text);

/// Returns the command with the number in place of each "{name}".
std::vector<std::string> commandWith(
    const std::vector<std::string>& command, const std::string& name, std::int64_t number);

/// A rehearsal with one number.
struct Trial
{
    std::int64_t number = 0;
    bool fits = false; ///< certainly; "too close to tell" is false
    Bytes reservedPeakBytes = 0;
    bool isComplete = true; ///< everything that the run did was judged
};

/// Finds the largest number in a range with which a run fits, provided that memory grows with the number. It
/// begins with the smallest; if that does not fit, none does.
/// The peaks so far suggest the next number; if they mislead, the range is halved. Needs about six trials
/// where memory grows evenly, about ten where small numbers mislead, and never more than about twice the
/// binary logarithm of the range.
class LargestSearch
{
public:
    /// `capacity` is the memory that a run may reserve.
    LargestSearch(std::int64_t first, std::int64_t last, Bytes capacity);

    /// Returns the number to try next; nullopt if the answer is known.
    std::optional<std::int64_t> next() const;
    /// Adds the trial of the number that `next` returned.
    void add(const Trial& trial);

    /// Returns the largest number that fits so far; nullopt before a number fits.
    std::optional<Trial> largestFitting() const;
    /// Returns the smallest number that does not fit so far; nullopt before a number fails.
    std::optional<Trial> smallestFailing() const;
    const std::vector<Trial>& trials() const { return m_trials; }

private:
    std::int64_t suggestion(std::int64_t low) const;

    std::int64_t m_first;
    std::int64_t m_last;
    Bytes m_capacity;
    std::vector<Trial> m_trials; ///< in the order in which they were made
    bool m_mustHalve = false; ///< the last suggestion did not halve the range
};

} // namespace highwater::rehearse
