/* Prints the size of each struct of the C interface. */
#include <stdio.h>

#include <parqproof.h>

#define SIZE(name) printf("struct %s %zu\n", #name, sizeof(name))

int main(void) {
  SIZE(parqproof_check_options);
  SIZE(parqproof_control);
  SIZE(parqproof_error);
  SIZE(parqproof_file_result);
  SIZE(parqproof_finding);
  SIZE(parqproof_limits);
  SIZE(parqproof_open_options);
  SIZE(parqproof_reader);
  SIZE(parqproof_rewrite_options);
  SIZE(parqproof_row_options);
  SIZE(parqproof_sink);
  SIZE(parqproof_target);
  return 0;
}
