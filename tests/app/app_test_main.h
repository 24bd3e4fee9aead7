#pragma once

#include <memory>

#include <QObject>

/// Puts several Qt Test classes into one program; each QTEST_MAIN would need a separate program.
namespace highwater::gui::test {

/// Registers a class under the name of its file.
struct AppTest
{
    AppTest(const char* file, std::unique_ptr<QObject> (*make)());
};

} // namespace highwater::gui::test

/// Put this at the end of the class's namespace, instead of QTEST_MAIN.
#define HIGHWATER_APP_TEST(Class)                                                                            \
    static const highwater::gui::test::AppTest the##Class(                                                   \
        __FILE__, [] { return std::unique_ptr<QObject>(std::make_unique<Class>()); });
