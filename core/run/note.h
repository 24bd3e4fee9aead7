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

/// The moment right after one event of the note's device; −1 is before the first.
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
/// Index into StepTable::steps, as listed by `highwater peaks`.
struct NotedStep
{
    std::int64_t step = 0;
    bool operator==(const NotedStep&) const = default;
};
/// One allocation of the note's device, identified by its alloc event, or by its address if it was allocated
/// before recording began (`allocEvent` is −1).
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
/// A row of the comparison of two runs: the kind of row ("site", "stack", …) and its key.
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
/// The target of a note; monostate stands for the run as a whole.
using NotePlace = std::variant<std::monostate, NotedMoment, NotedRange, NotedStep, NotedAllocation, NotedSite,
    NotedRow, NotedLine>;

/// The run of a comparison to which a note belongs. A single run is `After`.
enum class NoteRun : std::uint8_t
{
    Before,
    After
};

/// The colour of a note. core/figure defines the colours so that colour-blind readers can distinguish them.
enum class NoteColor : std::uint8_t
{
    Red,
    Orange,
    Green,
    Blue,
    Purple,
    Grey
};
inline constexpr std::size_t kNoteColorCount = 6;

/// Returns "red", "orange", …
std::string_view toText(NoteColor color);
/// Parses these names; nullopt for other texts.
std::optional<NoteColor> noteColorFromText(std::string_view text);
/// Returns "before", "after".
std::string_view toText(NoteRun run);

/// A user's note about a run, attached to a place in it. Its number is its position in the list, from 1.
struct Note
{
    NoteRun run = NoteRun::After;
    NotePlace place;
    /// The file of the run, by its name without folders; empty for the file that represents the run.
    std::string file;
    std::string device; ///< "cuda:0", as in Device::label(); empty for the one with the largest peak
    std::string title; ///< One line of plain text
    std::string text; ///< Markdown (CommonMark); raw HTML in it is shown as text
    NoteColor color = NoteColor::Red;

    bool operator==(const Note&) const = default;
};
using Notes = std::vector<Note>;

/// Limits for notes. `parseNotes` refuses anything beyond, the window cuts it off.
inline constexpr std::size_t kMaxNotes = 10'000;
inline constexpr std::size_t kMaxNoteTitleBytes = 1'000;
inline constexpr std::size_t kMaxNoteTextBytes = 100'000;

/// Describes the place without needing the trace: "event 5,701", "events 10–99", "step 3", "allocation of
/// event 12", "site train.py:12 step", "line 72"; empty for the run as a whole.
std::string placeText(const NotePlace& place);

} // namespace highwater
