#pragma once

#include <memory>

#include <QObject>

/// Several classes of Qt Test in one program, where each QTEST_MAIN would take a program of its own.
namespace highwater::gui::test {

/// Adds a class to its program, under the name of its file.
struct AppTest
{
    AppTest(const char* file, std::unique_ptr<QObject> (*make)());
};

} // namespace highwater::gui::test

/// At the end of the class's namespace, in place of QTEST_MAIN.
#define HIGHWATER_APP_TEST(Class)                                                                            \
    static const highwater::gui::test::AppTest the##Class(                                                   \
        __FILE__, [] { return std::unique_ptr<QObject>(std::make_unique<Class>()); });
