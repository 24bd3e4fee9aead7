#pragma once

#include <limits>
#include <vector>

#include <qcustomplot.h>

#include "core/analysis/diff/matching/run_alignment.h"

namespace highwater::gui {

/// Ticks at 1, 2 or 5 times a power of ten of a binary unit: "5 GiB", "10 GiB"; below a GiB also at quarters
/// and halves of it. Never scientific notation.
class ByteTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
    double m_unit = 1;
};

/// Ticks of an x axis, whose labels are placed side by side.
class KeyTicker : public QCPAxisTicker
{
public:
    /// What lies beyond has a tick and no label: there is no room for it.
    void setLabelEnd(double key) { m_labelEnd = key; }

protected:
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
    virtual QString labelOf(double tick) const = 0;

private:
    double m_labelEnd = std::numeric_limits<double>::infinity();
};

/// Whole events with thousands separated: "80,000".
class EventTicker : public KeyTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    QString labelOf(double tick) const override;
};

/// Nanoseconds since the first event, in one unit for all ticks: "+1.25 s". From a minute on as a clock has
/// them: "+1:15 min", "+1:02:30 h", and in whole minutes or hours where the steps are: "+1 h 15 min".
class TimeTicker : public KeyTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    QString labelOf(double tick) const override;

private:
    enum class Style
    {
        Decimal, ///< in m_unit
        Clock,
        Words, ///< whole minutes
    };

    QString clockText(double tick) const;

    Style m_style = Style::Decimal;
    double m_unit = 1;
    int m_decimals = 0; ///< of seconds, on a clock
    bool m_hours = false; ///< on a clock
    const char* m_unitName = "ns";
};

/// The names of places: "step 3". Of many only as many as asked for; where a view holds fewer than two of
/// them, shares of the way from one to the next: "step 3 · 40 %".
class MarkTicker : public KeyTicker
{
public:
    /// Ascending; the last one reaches to `end`.
    MarkTicker(std::vector<AxisMark> marks, double end);

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QString labelOf(double tick) const override;

private:
    QVector<double> shares(const QCPRange& range) const;

    std::vector<AxisMark> m_marks;
    double m_end;
};

/// Gives an x axis as many ticks, up to `most`, as labels fit side by side, and no label that would stick out
/// of the widget. Its ticker must be a KeyTicker; needs its range and its rectangle.
void fitTicks(QCPAxis& axis, int most);

} // namespace highwater::gui
