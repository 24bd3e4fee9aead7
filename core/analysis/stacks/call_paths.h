#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/stacks/call_site.h"

namespace highwater {

using FunctionId = StrongId<struct FunctionTag>;

/// The origin of a function.
enum class FunctionKind : std::uint8_t
{
    Own, ///< Python outside torch and the standard library
    Library, ///< Python of torch or the standard library, or a series of such frames
    Native, ///< C++
    Named, ///< not a function: a placeholder for a stack without frames to show, "(no stack: …)"
};

/// A function of a call tree. Frames with the same name and file are one function, whatever their lines,
/// unless the tree keeps lines apart.
struct CallFunction
{
    FunctionKind kind = FunctionKind::Named;
    std::string name;
    std::string file; ///< full path; empty if unknown or not a function
    FrameId frame = {}; ///< any frame of the function; isNone() for placeholders and merged libraries
    std::int32_t line = 0; ///< 0 if unknown, or if the function stands for frames of any line
    /// Returns "forward (adapters.py)", "forward (adapters.py:39)" with a line, "at::native::bmm(…)" or
    /// "backward · BmmBackward0".
    std::string label() const;
};

/// The frames of a stack that are shown. Frames of the recorder, the interpreter and `Module.__call__` are
/// always omitted.
enum class FrameDetail : std::uint8_t
{
    Own, ///< Python frames, with adjacent library frames merged into one: "torch.nn"
    Python, ///< all Python frames
    All, ///< C++ frames too, in the recorder's order
};

/// How frames of one function are told apart.
enum class FrameLines : std::uint8_t
{
    Merged, ///< frames of any line are one function
    Apart, ///< each line of a Python function is a function of its own
};

/// Turns the stacks of one device's allocations into paths of functions.
///
/// A stack without any frame to show is named by its call site: "backward · BmmBackward0" below "backward
/// (C++ threads)", "C++ · empty" below "C++ without Python", or "(no stack: …)" alone. If only the stack of
/// the free is known (allocated before the trace), the outermost element of the path is `kFreedBySection`.
class CallPaths
{
public:
    static constexpr std::string_view kFreedBySection = "allocated before recording began, freed by";
    static constexpr std::string_view kBackwardRoot = "backward (C++ threads)";
    static constexpr std::string_view kNativeRoot = "C++ without Python";

    /// Takes O(frames) memory. All arguments must outlive the object.
    CallPaths(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
        FrameDetail detail, FrameLines lines = FrameLines::Merged);

    /// Returns a key; allocations with equal keys have equal paths. O(1).
    std::uint64_t keyOf(AllocationIndex i) const;

    struct Path
    {
        bool isOfFree = false; ///< true if the functions are from the stack of the free
        std::vector<FunctionId> functions; ///< outermost first, without `kFreedBySection`; never empty
    };
    /// Returns the path of an allocation. O(frames of the stack) once its functions are known.
    Path pathOf(AllocationIndex i);

    const std::vector<CallFunction>& functions() const { return m_functions; }
    /// Returns the function with these properties, which is made on first use. `frame` does not distinguish
    /// functions.
    FunctionId intern(FunctionKind kind, std::string name, std::string file = {}, FrameId frame = {},
        std::int32_t line = 0);

private:
    static constexpr std::uint32_t kUnseen = FunctionId::kNone; ///< a frame that is not classified yet
    static constexpr std::uint32_t kOmitted = FunctionId::kNone - 1;

    std::uint32_t functionOf(FrameId id);
    std::uint32_t classify(FrameId id);
    std::vector<FunctionId> functionsOfStack(StackId stack);
    void joinLibraryFrames(std::vector<FunctionId>& path);
    std::vector<FunctionId> placeholdersOf(const CallSite& site);

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    const CallSites& m_sites;
    FrameDetail m_detail;
    FrameLines m_lines;
    std::vector<CallFunction> m_functions;
    tsl::robin_map<std::string, std::uint32_t> m_ids;
    std::vector<std::uint32_t> m_functionOfFrame;
};

} // namespace highwater
