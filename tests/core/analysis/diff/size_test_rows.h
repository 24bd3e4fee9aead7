#pragma once

#include <vector>

#include "core/analysis/diff/row_contents.h"

namespace highwater::test {

/// A hand-made comparison: rows of given sizes and contents, in the given order.
class SizeRows
{
public:
    using Sizes = std::vector<SizeCount>;

    SizeRows& add(Sizes before, Sizes after, std::vector<CodePlace> code = {}, std::string key = {})
    {
        DiffRow row;
        row.key = key.empty() ? "f (/run/a.py:" + std::to_string(m_diff.rows.size() + 1) + ")" : key;
        row.before = amountOf(before);
        row.after = amountOf(after);
        m_diff.before.bytes += row.before.bytes;
        m_diff.after.bytes += row.after.bytes;
        m_diff.rows.push_back(row);
        m_contents.rows.push_back({std::move(before), std::move(after), std::move(code)});
        return *this;
    }
    SizeRows& parameters(Sizes sizes)
    {
        m_contents.parametersBefore = sizes;
        m_contents.parametersAfter = std::move(sizes);
        return *this;
    }
    SizeRows& quantity(Quantity quantity)
    {
        m_diff.quantity = quantity;
        return *this;
    }

    /// Returns the same rows with the runs exchanged.
    SizeRows exchanged() const
    {
        SizeRows other = *this;
        std::swap(other.m_diff.before, other.m_diff.after);
        for (DiffRow& row : other.m_diff.rows)
            std::swap(row.before, row.after);
        for (RowContents& row : other.m_contents.rows)
            std::swap(row.before, row.after);
        return other;
    }

    const RunDiff& diff() const { return m_diff; }
    const DiffContents& contents() const { return m_contents; }

private:
    static DiffAmount amountOf(const Sizes& sizes)
    {
        DiffAmount amount;
        for (const SizeCount& size : sizes) {
            amount.bytes += size.bytes();
            amount.count += size.count;
        }
        amount.bytesOfEach = sizes.size() == 1 ? sizes.front().each : -1;
        return amount;
    }

    RunDiff m_diff;
    DiffContents m_contents{{}, true, {}, {}};
};

} // namespace highwater::test
