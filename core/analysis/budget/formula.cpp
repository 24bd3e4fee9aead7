#include "core/analysis/budget/formula.h"

#include <fmt/format.h>

namespace highwater {

Formula::Formula(std::int64_t number)
    : Formula(Kind::Number, fmt::format("{}", number), number, number < 0)
{
}

Formula::Formula(Kind kind, std::string text, std::int64_t value, bool overflows)
    : m_kind(kind)
    , m_overflows(overflows)
    , m_value(value)
    , m_text(std::move(text))
{
}

std::string Formula::asFactor() const
{
    return m_kind == Kind::Sum || m_kind == Kind::Quotient ? "(" + m_text + ")" : m_text;
}

Formula operator*(const Formula& a, const Formula& b)
{
    std::int64_t value = 0;
    const bool overflows = __builtin_mul_overflow(a.m_value, b.m_value, &value);
    return {Formula::Kind::Product, a.asFactor() + " × " + b.asFactor(), value,
        overflows || a.m_overflows || b.m_overflows};
}

Formula operator+(const Formula& a, const Formula& b)
{
    if (a.isZero())
        return b;
    if (b.isZero())
        return a;
    std::int64_t value = 0;
    const bool overflows = __builtin_add_overflow(a.m_value, b.m_value, &value);
    return {
        Formula::Kind::Sum, a.m_text + " + " + b.m_text, value, overflows || a.m_overflows || b.m_overflows};
}

Formula operator-(const Formula& a, const Formula& b)
{
    if (b.isZero())
        return a;
    const bool overflows = a.m_overflows || b.m_overflows;
    if (!overflows && b.m_value >= a.m_value)
        return Formula();
    const std::string text = a.m_text + " − " + (b.m_kind == Formula::Kind::Sum ? b.asFactor() : b.m_text);
    return {Formula::Kind::Sum, text, a.m_value - b.m_value, overflows};
}

Formula Formula::over(std::int64_t divisor) const
{
    if (divisor == 1)
        return *this;
    const std::string dividend = m_kind == Kind::Sum || m_kind == Kind::Quotient ? asFactor() : m_text;
    return {Kind::Quotient, dividend + " / " + std::to_string(divisor),
        m_value / divisor + (m_value % divisor == 0 ? 0 : 1), m_overflows};
}

Formula Formula::times(ElementType type) const
{
    const ElementBytes bytes = bytesOf(type);
    return (*this * bytes.numerator).over(bytes.denominator);
}

FormulaRange operator+(const FormulaRange& a, const FormulaRange& b)
{
    return {a.low + b.low, a.likely + b.likely, a.high + b.high};
}

} // namespace highwater
