#pragma once

#include <cstdint>
#include <string>

#include "core/base/units.h"
#include "core/run/element_type.h"

namespace highwater {

/// An amount that is computed and written down in the same go: "8 × 174 × 50257 × 2". Whole numbers from 0
/// on; what does not fit 63 bits is remembered as overflow. Quotients are rounded up, differences end at 0.
/// Immutable.
class Formula
{
public:
    /// The number 0.
    Formula()
        : Formula(0)
    {
    }
    /// A number, which is 0 or more.
    Formula(std::int64_t number); // implicit: numbers stand in formulae as they are

    /// "8 × 174 × 2"; sums and quotients in it get parentheses.
    const std::string& text() const { return m_text; }
    /// Means nothing after an overflow.
    std::int64_t value() const { return m_value; }
    bool overflows() const { return m_overflows; }
    bool isZero() const { return m_value == 0 && !m_overflows; }

    Formula over(std::int64_t divisor) const;
    Formula times(ElementType type) const;

    friend Formula operator*(const Formula& a, const Formula& b);
    /// 0 adds nothing, neither to the value nor to the text.
    friend Formula operator+(const Formula& a, const Formula& b);
    friend Formula operator-(const Formula& a, const Formula& b);

private:
    enum class Kind : std::uint8_t
    {
        Number,
        Product,
        Quotient,
        Sum,
    };
    Formula(Kind kind, std::string text, std::int64_t value, bool overflows);
    std::string asFactor() const;

    Kind m_kind = Kind::Number;
    bool m_overflows = false;
    std::int64_t m_value = 0;
    std::string m_text;
};

/// What a line can come to.
struct FormulaRange
{
    Formula low;
    Formula likely;
    Formula high;

    static FormulaRange exactly(const Formula& formula) { return {formula, formula, formula}; }
};
FormulaRange operator+(const FormulaRange& a, const FormulaRange& b);

} // namespace highwater
