/* The smallest test frame that does: a failed check prints where and what, and the program ends with 1. */
#ifndef CHECK_H
#define CHECK_H
#include <stdbool.h>

void check_that(bool is_right, const char *file, int line, const char *what);
/* Prints "ok - name". */
void check_passed(const char *name);

#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)

void test_golden(const char *path);
void test_parts(void);
void test_shaker(void);

#endif
