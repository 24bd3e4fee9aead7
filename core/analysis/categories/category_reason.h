#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/units.h"

namespace highwater {

/// The kind of rule that decided the category of a block.
enum class CategoryReason : std::uint8_t
{
    Nothing, ///< no rule applies: unknown
    RecordedWord, ///< the file says so
    UserRule,
    WorkspaceStack,
    WorkspaceSize,
    ShardedParameterStack,
    GradientBufferStack,
    KvCacheStack,
    ModelStack,
    DataStack,
    OptimizerKeeps,
    UpdateKeeps,
    OptimizerFrees,
    ZeroGradFrees,
    BackwardLeft,
    Reduced,
    BackwardFrees,
    DiesInItsPhase,
    OutlivesItsModule,
    OutlivesItsPhase,
    Recomputed,
    DiesInItsStep,
    DiesAtOnce,
    DiesYoung,
    CutOff,
    ResultOfBackward,
    UsedByModelCall,
    OthersOfItsStack,
    ParameterSize,
    SetOfParameters,
    SetOfGradients,
    SetOfState,
    CopyInOtherType,
    SameStackAsParameters,
    TooManyForBuffers,
    ModelOnlyRuns,
    KeptByUser,
    FlatBuffer,
    MasterWeights,
    FlatCopy,
    SetOfCopies,
    GradientOfUntrained,
    Renewed,
    Dropped,
    ResultBesideGradients,
    KeptFromSetUp,
    SetLikeKept,
    SizeOfKept,
    FreedInReverse,
    Older,
};
inline constexpr std::size_t kCategoryReasonCount = static_cast<std::size_t>(CategoryReason::Older) + 1;

/// Returns a clause for people that completes "because …": "zero_grad frees it".
std::string_view toText(CategoryReason reason);

} // namespace highwater
