// SPDX-License-Identifier: Apache-2.0
#include "link/link_spec.hpp"

#include <charconv>
#include <string_view>

#include "api/error.hpp"

namespace perle {
namespace {

constexpr unsigned kBaud = 115'200;  // of LiteX's designs
constexpr unsigned kPort = 1234;

[[noreturn]] void refuse(const std::string& spec, const std::string& why) {
  throw Error(PERLE_ERR_SPEC, "board specification \"" + spec + "\": " + why +
                                  "; it is uart:/DEVICE[,baud=N], etherbone:HOST[:PORT] or uio:/DEVICE");
}

unsigned number(const std::string& spec, std::string_view text, const char* what, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
    refuse(spec, std::string(what) + " wants a number from 1 to " + std::to_string(most));
  return value;
}

struct Place {
  enum class Kind { kNone, kUart, kEtherbone, kUio } kind = Kind::kNone;
  std::string name;  // device or host
  unsigned number = 0;
};

Place::Kind kind_of(std::string_view spec) {
  return spec.starts_with("uart:")        ? Place::Kind::kUart
         : spec.starts_with("etherbone:") ? Place::Kind::kEtherbone
         : spec.starts_with("uio:")       ? Place::Kind::kUio
                                          : Place::Kind::kNone;
}

Place parse(const std::string& spec) {
  Place out{kind_of(spec), spec.substr(spec.find(':') + 1), 0};
  if (out.kind == Place::Kind::kEtherbone) {
    const std::size_t colon = out.name.find(':');
    out.number = kPort;
    if (colon != std::string::npos) {
      constexpr unsigned kMostPort = 65'535;
      out.number = number(spec, std::string_view(out.name).substr(colon + 1), "a port", kMostPort);
      out.name.resize(colon);
    }
    if (out.name.empty()) refuse(spec, "no host is named");
    if (out.name.find_first_of(",/ ") != std::string::npos) refuse(spec, "that is no name of a host");
    return out;
  }
  const std::size_t comma = out.name.find(',');
  const std::string option = comma == std::string::npos ? "" : out.name.substr(comma + 1);
  out.name.resize(std::min(comma, out.name.size()));
  if (!out.name.starts_with('/')) refuse(spec, "a device is named by its whole path, like /dev/ttyUSB0");
  if (out.kind == Place::Kind::kUart) {
    constexpr std::string_view kKey = "baud=";
    constexpr unsigned kMostBaud = 4'000'000;
    out.number = kBaud;
    if (option.starts_with(kKey))
      out.number = number(spec, std::string_view(option).substr(kKey.size()), "baud", kMostBaud);
    else if (comma != std::string::npos)
      refuse(spec, "unknown option \"" + option + "\"");
  } else if (comma != std::string::npos) {
    refuse(spec, "it has no options");
  }
  return out;
}

}  // namespace

bool is_link(const std::string& spec) { return kind_of(spec) != Place::Kind::kNone; }

void check_link(const std::string& spec) {
  const Place place = parse(spec);
  if (place.kind == Place::Kind::kUart) check_baud(place.number);
  if (place.kind != Place::Kind::kEtherbone) check_device(place.name);
}

std::unique_ptr<Link> link_of(const std::string& spec) {
  const Place place = parse(spec);
  switch (place.kind) {
    case Place::Kind::kUart:
      return open_uart(place.name, place.number);
    case Place::Kind::kEtherbone:
      return open_etherbone(place.name, place.number);
    default:
      return open_uio(place.name);
  }
}

}  // namespace perle
