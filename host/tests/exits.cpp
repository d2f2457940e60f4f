// SPDX-License-Identifier: Apache-2.0
//
// Processes that exit with asynchronous jobs in flight: exits PROVIDER.so BOARD.so COUNT runs COUNT
// processes, which exit in different ways after different times, and prints how many were killed by a signal.
#include <openssl/async.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

extern char** environ;

namespace {

constexpr int kKinds = 5, kJobs = 3, kLongestWait = 4'000;  // µs
// 1,024 bits: a job takes some milliseconds.
constexpr unsigned kBits = 1024;

struct Signing {
  EVP_PKEY* key;
};

int job(void* arguments) {
  const unsigned char digest[32] = {1};
  unsigned char out[kBits / 8];
  std::size_t length = sizeof out;
  EVP_PKEY_CTX* const ctx =
      EVP_PKEY_CTX_new_from_pkey(nullptr, static_cast<Signing*>(arguments)->key, nullptr);
  const bool good = ctx != nullptr && EVP_PKEY_sign_init(ctx) == 1 &&
                    EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) == 1 &&
                    EVP_PKEY_sign(ctx, out, &length, digest, sizeof digest) == 1;
  EVP_PKEY_CTX_free(ctx);
  return good ? 1 : 0;
}

int fail(const char* what) { return std::fprintf(stderr, "exits: %s\n", what), 3; }

EVP_PKEY* read_key(const char* path) {
  BIO* const in = BIO_new_file(path, "r");
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(in, nullptr, nullptr, nullptr);
  BIO_free(in);
  return key;
}

// A process with the provider in a library context of its own, which is freed before the process exits.
int of_its_own() {
  OSSL_LIB_CTX* const own = OSSL_LIB_CTX_new();
  OSSL_PROVIDER* const provider =
      own != nullptr && OSSL_LIB_CTX_load_config(own, std::getenv("OPENSSL_CONF")) == 1
          ? OSSL_PROVIDER_load(own, "perle")
          : nullptr;
  if (provider == nullptr) return fail("no provider in a context of its own");
  OSSL_PROVIDER_unload(provider);
  OSSL_LIB_CTX_free(own);
  return 0;
}

// One process with jobs in flight; `kind` is how it ends.
int one(const char* path, int kind, unsigned wait_us) {
  if (kind == 4) return of_its_own();
  OSSL_PROVIDER_load(nullptr, "default");
  OSSL_PROVIDER* const provider = OSSL_PROVIDER_load(nullptr, "perle");
  if (provider == nullptr || EVP_set_default_properties(nullptr, "?perle.boards=yes") != 1)
    return fail("no provider");
  EVP_PKEY* const key = read_key(path);
  if (key == nullptr || ASYNC_init_thread(kJobs, kJobs) != 1) return fail("no key");
  for (int i = 0; i < kJobs; ++i) {
    ASYNC_JOB* started = nullptr;
    Signing arguments{key};
    int result = 0;
    const int status =
        ASYNC_start_job(&started, ASYNC_WAIT_CTX_new(), &result, job, &arguments, sizeof arguments);
    // It may have ended already.
    if (status != ASYNC_PAUSE && !(status == ASYNC_FINISH && result == 1))
      return ERR_print_errors_fp(stderr), fail("no job in flight");
  }
  ::usleep(wait_us);
  if (kind == 1) std::exit(0);
  if (kind == 2) {
    EVP_PKEY_free(key);
    OSSL_PROVIDER_unload(provider);
  }
  if (kind == 3) OPENSSL_cleanup();
  return 0;
}

// Files that every process reads: the configuration and a key.
void prepare(const std::string& folder, const std::string& provider, const std::string& board) {
  std::ofstream(folder + "/openssl.cnf")
      << "openssl_conf = init\n[init]\nproviders = list\n[list]\nperle = own\n[own]\nmodule = " << provider
      << "\nboards = sim:" << board << ",boards=2\nstatus = none\n";
  EVP_PKEY* const key = EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", static_cast<std::size_t>(kBits));
  BIO* const out = BIO_new_file((folder + "/key.pem").c_str(), "w");
  PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
  BIO_free(out);
  EVP_PKEY_free(key);
}

// Exit status of a process; 128 plus the signal if one ended it.
int run_one(const std::string& key, int number) {
  const std::string kind = std::to_string(number % kKinds);
  const std::string wait = std::to_string(number * 37 % kLongestWait);
  const char* const argv[] = {"exits", "one", key.c_str(), kind.c_str(), wait.c_str(), nullptr};
  pid_t child = 0;
  if (::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(argv), environ) != 0)
    return 3;
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "one")
    return one(argv[2], std::atoi(argv[3]), static_cast<unsigned>(std::atoi(argv[4])));
  if (argc != 4) return fail("usage: exits PROVIDER.so BOARD.so COUNT");
  std::string folder = (std::filesystem::temp_directory_path() / "perle-exits-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return fail("no folder for its files");
  prepare(folder, argv[1], argv[2]);
  ::setenv("OPENSSL_CONF", (folder + "/openssl.cnf").c_str(), 1);
  ::setenv("SOFTBOARD", "width=512,delay=1", 1);
  const int count = std::atoi(argv[3]);
  int bad[kKinds] = {}, last = 0;
  for (int i = 0; i < count; ++i)
    if (const int status = run_one(folder + "/key.pem", i); status != 0) {
      ++bad[i % kKinds];
      last = status;
    }
  std::filesystem::remove_all(folder);
  const int all = bad[0] + bad[1] + bad[2] + bad[3] + bad[4];
  std::printf(
      "%d exits, %d bad: return %d, exit() %d, unload %d, OPENSSL_cleanup %d, context freed %d; the last "
      "with "
      "status %d\n",
      count, all, bad[0], bad[1], bad[2], bad[3], bad[4], last);
  return all != 0 || count < 1 ? 1 : 0;
}
