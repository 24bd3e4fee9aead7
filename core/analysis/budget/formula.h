#pragma once

#include <cstdint>
#include <string>

#include "core/base/units.h"
#include "core/run/element_type.h"

namespace highwater {

/// An amount that is computed together with its text: "8 × 174 × 50257 × 2". Non-negative integers; a result
/// beyond 63 bits is marked as overflow. Quotients are rounded up; differences are at least 0.
class Formula
{
public:
    /// Makes the number 0.
    Formula()
        : Formula(0)
    {
    }
    /// Makes a number; a negative one is marked as overflow.
    Formula(std::int64_t number); // implicit: numbers appear in formulae as they are

    /// Returns "8 × 174 × 2"; sums and quotients in it get parentheses.
    const std::string& text() const { return m_text; }
    /// Returns the value, which is meaningless after an overflow.
    std::int64_t value() const { return m_value; }
    bool overflows() const { return m_overflows; }
    bool isZero() const { return m_value == 0 && !m_overflows; }

    /// Divides by a positive number.
    Formula over(std::int64_t divisor) const;
    /// Returns the bytes of this many elements.
    Formula times(ElementType type) const;

    friend Formula operator*(const Formula& a, const Formula& b);
    /// Adding 0 changes neither the value nor the text.
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

/// The low, likely and high value of a line.
struct FormulaRange
{
    Formula low;
    Formula likely;
    Formula high;

    static FormulaRange exactly(const Formula& formula) { return {formula, formula, formula}; }
};
FormulaRange operator+(const FormulaRange& a, const FormulaRange& b);

} // namespace highwater
