/* SPDX-License-Identifier: Apache-2.0
 *
 * An unmodified program of libcrypto, for the tests: reads lines "FUNCTION ALIAS BASE EXPONENT MODULUS" (hex)
 * and prints the power, or "error". ALIAS is the operand that the result is written to: r (none), a, p or m.
 */
#define _GNU_SOURCE
#include <openssl/bn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kLine = 16384, kThreads = 4, kRounds = 20 };

static int power(const char* function, BIGNUM* r, BIGNUM* a, BIGNUM* p, BIGNUM* m, BN_CTX* ctx) {
  if (strcmp(function, "exp") == 0) return BN_mod_exp(r, a, p, m, ctx);
  if (strcmp(function, "mont") == 0) return BN_mod_exp_mont(r, a, p, m, ctx, NULL);
  if (strcmp(function, "word") == 0) return BN_mod_exp_mont_word(r, BN_get_word(a), p, m, ctx, NULL);
  if (strcmp(function, "flagged") == 0) {
    BN_set_flags(p, BN_FLG_CONSTTIME);
    return BN_mod_exp_mont_word(r, BN_get_word(a), p, m, ctx, NULL);
  }
  if (strcmp(function, "consttime") == 0) return BN_mod_exp_mont_consttime(r, a, p, m, ctx, NULL);
  if (strcmp(function, "x2") == 0) {
    /* the first power's result is the second one's base */
    BIGNUM* other = BN_dup(a);
    BIGNUM* out = BN_new();
    const int done =
        BN_mod_exp_mont_consttime_x2(r, a, p, m, NULL, out, other, p, m, NULL, ctx) && BN_cmp(r, out) == 0;
    BN_free(other);
    BN_free(out);
    return done;
  }
  fprintf(stderr, "%s: unknown\n", function);
  exit(2);
}

static void line_of(char* text) {
  char function[16], alias[4];
  char* number[3];
  for (int i = 0; i < 3; i++) number[i] = malloc(kLine);
  if (sscanf(text, "%15s %3s %16383s %16383s %16383s", function, alias, number[0], number[1], number[2]) != 5)
    exit(2);
  BIGNUM *a = NULL, *p = NULL, *m = NULL, *r = BN_new();
  BN_hex2bn(&a, number[0]);
  BN_hex2bn(&p, number[1]);
  BN_hex2bn(&m, number[2]);
  BIGNUM* out = *alias == 'a' ? a : *alias == 'p' ? p : *alias == 'm' ? m : r;
  BN_CTX* ctx = BN_CTX_new();
  if (power(function, out, a, p, m, ctx)) {
    char* hex = BN_bn2hex(out);
    puts(hex);
    OPENSSL_free(hex);
  } else {
    puts("error");
  }
  BN_CTX_free(ctx);
  BN_free(a);
  BN_free(p);
  BN_free(m);
  BN_free(r);
  for (int i = 0; i < 3; i++) free(number[i]);
}

/* 3^(2^i) modulo 2^521 - 1 in every thread, compared with repeated squaring: detects results mixed up between
 * threads. */
static void* rounds(void* context) {
  long* wrong = context;
  BN_CTX* ctx = BN_CTX_new();
  BIGNUM *x = BN_new(), *y = BN_new(), *m = BN_new(), *p = BN_new();
  BN_set_word(x, 3);
  BN_copy(y, x);
  BN_set_bit(m, 521);
  BN_sub_word(m, 1);
  for (int i = 0; i < kRounds; i++) {
    BN_zero(p);
    BN_set_bit(p, i + 1);
    BN_mod_sqr(y, y, m, ctx);
    BIGNUM* z = BN_new();
    if (!BN_mod_exp_mont_consttime(z, x, p, m, ctx, NULL) || BN_cmp(z, y) != 0) ++*wrong;
    BN_free(z);
  }
  BN_free(x);
  BN_free(y);
  BN_free(m);
  BN_free(p);
  BN_CTX_free(ctx);
  return NULL;
}

static int threads(void) {
  pthread_t thread[kThreads];
  long wrong[kThreads] = {0}, sum = 0;
  for (int i = 0; i < kThreads; i++) pthread_create(&thread[i], NULL, rounds, &wrong[i]);
  for (int i = 0; i < kThreads; i++) {
    pthread_join(thread[i], NULL);
    sum += wrong[i];
  }
  printf("%ld wrong\n", sum);
  return sum != 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "threads") == 0) return threads();
  if (argc > 1 && strcmp(argv[1], "fork") == 0) {
    if (threads()) return 1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) exit(threads());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
  }
  if (argc > 1 && strcmp(argv[1], "exit") == 0) return atoi(argv[2]);
  if (argc > 1 && strcmp(argv[1], "signal") == 0) return raise(atoi(argv[2]));
  static char text[4 * kLine];
  while (fgets(text, sizeof text, stdin) != NULL) line_of(text);
  return 0;
}
