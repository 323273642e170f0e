#include <stdio.h>
#include <stdlib.h>

#include "check.h"

static int passed_count;

void check_that(bool is_right, const char *file, int line, const char *what) {
  if (is_right) return;
  printf("not ok - %s:%d: %s\n", file, line, what);
  exit(1);
}

void check_passed(const char *name) {
  passed_count++;
  printf("ok - %s\n", name);
}

/* host-tests GOLDEN.TXT */
int main(int argc, char **argv) {
  CHECK(argc == 2);
  test_golden(argv[1]);
  test_parts();
  test_shaker();
  printf("%d passed\n", passed_count);
  return 0;
}
