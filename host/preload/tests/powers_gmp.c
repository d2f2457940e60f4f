/* SPDX-License-Identifier: Apache-2.0
 *
 * An unmodified program of GMP, for the tests: reads lines "FUNCTION ALIAS A B C" (hex) and prints A^B mod C
 * (powm, sec) or A·B (mul). ALIAS is the operand that the result is written to: r (none), a, b or c. GMP's
 * header is not required: its declarations are repeated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int alloc, size;
  unsigned long* limbs;
} mpz_t[1];
void __gmpz_init(mpz_t);
void __gmpz_clear(mpz_t);
int __gmpz_set_str(mpz_t, const char*, int);
char* __gmpz_get_str(char*, int, const mpz_t);
void __gmpz_mul(mpz_t, const mpz_t, const mpz_t);
void __gmpz_powm(mpz_t, const mpz_t, const mpz_t, const mpz_t);
void __gmpz_powm_sec(mpz_t, const mpz_t, const mpz_t, const mpz_t);

enum { kLine = 65536 };

int main(void) {
  static char text[4 * kLine], number[3][kLine];
  char function[16], alias[4];
  while (fgets(text, sizeof text, stdin) != NULL) {
    if (sscanf(text, "%15s %3s %65535s %65535s %65535s", function, alias, number[0], number[1], number[2]) !=
        5)
      return 2;
    mpz_t value[3], result;
    __gmpz_init(result);
    for (int i = 0; i < 3; i++) {
      __gmpz_init(value[i]);
      __gmpz_set_str(value[i], number[i], 16);
    }
    void* out = *alias == 'a' ? value[0] : *alias == 'b' ? value[1] : *alias == 'c' ? value[2] : result;
    if (strcmp(function, "mul") == 0)
      __gmpz_mul(out, value[0], value[1]);
    else
      (strcmp(function, "sec") == 0 ? __gmpz_powm_sec : __gmpz_powm)(out, value[0], value[1], value[2]);
    char* hex = __gmpz_get_str(NULL, 16, out);
    puts(hex);
    free(hex);
    for (int i = 0; i < 3; i++) __gmpz_clear(value[i]);
    __gmpz_clear(result);
  }
  return 0;
}
