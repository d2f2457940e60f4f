// SPDX-License-Identifier: Apache-2.0
//
// Registers as JSON, from the simulator's table of the variables that are public in this build.

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "board.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

namespace perle {
namespace {

constexpr char kHex[] = "0123456789abcdef";

// Packed variables are stored in little-endian words of at least their width: print only the digits of that
// width.
std::string Hex(const void* data, int bits) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string digits;
  for (int nibble = (bits + 3) / 4 - 1; nibble >= 0; --nibble) {
    unsigned value = bytes[nibble / 2] >> (4 * (nibble % 2)) & 0xFU;
    if (bits - 4 * nibble < 4) value &= (1U << (bits - 4 * nibble)) - 1;
    digits += kHex[value];
  }
  return digits;
}

bool IsPacked(const VerilatedVar& var) {
  switch (var.vltype()) {
    case VLVT_UINT8:
    case VLVT_UINT16:
    case VLVT_UINT32:
    case VLVT_UINT64:
    case VLVT_WDATA:
      return true;
    default:
      return false;
  }
}

// Elements of an unpacked array lie one after the other, each in as many bytes as its type needs.
void AddVar(const std::string& name, const VerilatedVar& var, std::map<std::string, std::string>* out) {
  if (!IsPacked(var) || var.isParam()) return;
  const int bits = var.entBits();
  if (var.udims() == 0) {
    (*out)[name] = Hex(var.datap(), bits);
    return;
  }
  if (var.udims() != 1) return;
  const auto* bytes = static_cast<const unsigned char*>(var.datap());
  const size_t stride = var.entSize();
  const int low = std::min(var.left(1), var.right(1));
  for (int i = 0; i < var.elements(1); ++i) {
    (*out)[name + "[" + std::to_string(low + i) + "]"] = Hex(bytes + stride * static_cast<size_t>(i), bits);
  }
}

}  // namespace

std::string Board::Snapshot() {
  std::map<std::string, std::string> values;
  for (const auto& [path, scope] : *context_.scopeNameMap()) {
    if (scope->varsp() == nullptr) continue;
    std::string prefix{path};
    const size_t top = prefix.find("perle_top.");
    prefix = top == std::string::npos ? std::string{} : prefix.substr(top + std::strlen("perle_top.")) + ".";
    for (const auto& [name, var] : *scope->varsp()) AddVar(prefix + name, var, &values);
  }
  std::string json = "{\"snapshot\":\"" PERLE_SIM_SNAPSHOT "\"";
  for (const auto& [name, value] : values) json += ",\"" + name + "\":\"" + value + "\"";
  return json + "}";
}

}  // namespace perle
