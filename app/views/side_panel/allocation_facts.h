#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "app/workspace/document/device_analysis.h"

namespace highwater::gui {

/// One line of the details: "requested   64.00 MiB  67,108,864 B".
struct Fact
{
    QString name;
    QString value;
    QString aside; ///< said in quiet after the value
};

/// The sections of the details of one allocation.
struct AllocationFacts
{
    QString title; ///< "Allocation 11,204": its place in the order of births
    std::vector<Fact> what;
    QString stackTitle; ///< whose stack it is: "Allocated by", "Freed by …"
    StackId stack;
    QString withoutStack; ///< why there is none; empty where there is one
    std::vector<Fact> sameStack;
};

/// `moment` is the event that "alive now" means; without one it is the peak.
AllocationFacts allocationFacts(
    const DeviceAnalysis& analysis, AllocationIndex allocation, std::optional<std::int64_t> moment);

/// All of it as text for the clipboard, with every frame of the stack.
QString plainText(const DeviceAnalysis& analysis, const AllocationFacts& facts);

} // namespace highwater::gui
