#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/units.h"

namespace highwater {

/// Right after one event of the note's device; −1: before the first.
struct NotedMoment
{
    std::int64_t event = -1;
    bool operator==(const NotedMoment&) const = default;
};
/// The events [first, last) of the note's device.
struct NotedRange
{
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const NotedRange&) const = default;
};
/// Index into StepTable::steps, as `highwater peaks` lists them.
struct NotedStep
{
    std::int64_t step = 0;
    bool operator==(const NotedStep&) const = default;
};
/// One allocation of the note's device: by the event that made it, or by its address where that is older than
/// the trace (`allocEvent` −1).
struct NotedAllocation
{
    std::int64_t allocEvent = -1;
    Address address = 0;
    bool operator==(const NotedAllocation&) const = default;
};
/// All allocations of a call site, by its key.
struct NotedSite
{
    std::string site;
    bool operator==(const NotedSite&) const = default;
};
/// A row of the comparison of two runs: the kind of rows ("site", "stack", …) and the row's key.
struct NotedRow
{
    std::string group;
    std::string key;
    bool operator==(const NotedRow&) const = default;
};
/// A line of a log, 1-based; the log is the note's file.
struct NotedLine
{
    std::uint64_t line = 1;
    bool operator==(const NotedLine&) const = default;
};
/// What a note is pinned to; monostate: the run as a whole.
using NotePlace = std::variant<std::monostate, NotedMoment, NotedRange, NotedStep, NotedAllocation, NotedSite,
    NotedRow, NotedLine>;

/// Which run of a comparison a note is about. A single run is the run after.
enum class NoteRun : std::uint8_t
{
    Before,
    After
};

/// Distinguishable by colour-blind readers; the colours themselves are in core/figure.
enum class NoteColor : std::uint8_t
{
    Red,
    Orange,
    Green,
    Blue,
    Purple,
    Grey
};
inline constexpr std::size_t kNoteColors = 6;

/// "red", "orange", …
std::string_view toText(NoteColor color);
std::optional<NoteColor> noteColorFromText(std::string_view text);
/// "before", "after".
std::string_view toText(NoteRun run);

/// A note of the user about a run, pinned to a place in it. Its number is its position in the list, from 1.
struct Note
{
    NoteRun run = NoteRun::After;
    NotePlace place;
    /// The file of the run, by its name without folders; empty: the file that represents the run.
    std::string file;
    std::string device; ///< "cuda:0", as Device::label(); empty: the one with the largest peak
    std::string title; ///< one line of plain text
    std::string text; ///< Markdown (CommonMark); raw HTML in it is shown as text
    NoteColor color = NoteColor::Red;

    bool operator==(const Note&) const = default;
};
using Notes = std::vector<Note>;

/// Limits for notes, checked wherever they are read or written: anything beyond is refused, or cut off with a
/// warning.
inline constexpr std::size_t kMostNotes = 10'000;
inline constexpr std::size_t kMostNoteTitleBytes = 1'000;
inline constexpr std::size_t kMostNoteTextBytes = 100'000;

/// The place in words that need no trace: "event 5,701", "events 10–99", "step 3", "allocation of event 12",
/// "site train.py:12 step", "line 72"; empty for the run as a whole.
std::string placeText(const NotePlace& place);

} // namespace highwater
