// SPDX-License-Identifier: Apache-2.0
//
// Where files are looked for, and which of them may be loaded into the process.
#pragma once

#include <sys/types.h>

#include <string>

namespace perle {

// A variable of the environment; empty where there is none, or where the program has more rights than its
// caller (set-user-ID, file capabilities), who must not say then what is loaded.
std::string variable(const char* name);

// The folder of simulated boards: $PERLE_CACHE, else $XDG_CACHE_HOME/perle, else .cache/perle in the home
// folder, that of the user's account where HOME is not set. PERLE_ERR_BOARD_ABSENT if it is no absolute path.
std::string cache_root();

// The file that `path` stands for, links resolved, if it may be loaded: it and every folder on the way belong
// to root or to the effective user, and nobody else can write to them. A folder of root's in which names are
// safe from others (sticky, like /tmp) is one. PERLE_ERR_BOARD_LOAD says what is wrong, and how to mend it.
std::string trusted_path(const std::string& path);

// Whether a folder or file belongs to root or the effective user, and nobody else can change what is there.
bool is_trusted(uid_t owner, mode_t mode);

}  // namespace perle
