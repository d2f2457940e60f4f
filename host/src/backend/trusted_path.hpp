// SPDX-License-Identifier: Apache-2.0
//
// Where shared objects are searched, and which of them may be loaded into the process.
#pragma once

#include <sys/types.h>

#include <string>

namespace perle {

// A variable of the environment. Empty if it is not set, or if the program has more privileges than its
// caller (set-user-ID, file capabilities), who must then not decide what is loaded.
std::string variable(const char* name);

// The folder of simulated boards: $PERLE_CACHE, else $XDG_CACHE_HOME/perle, else .cache/perle in the home
// folder (of the user's account if HOME is not set). Throws PERLE_ERR_SPEC for a relative path,
// PERLE_ERR_BOARD_ABSENT if there is no home folder.
std::string cache_root();

// `path` with links resolved, if the file may be loaded: the file and all its parent folders belong to root
// or to the effective user, and nobody else can write to them; a sticky folder of root, like /tmp, is
// accepted. Otherwise throws PERLE_ERR_BOARD_LOAD, whose text names the fault and how to fix it.
std::string trusted_path(const std::string& path);

// Whether a folder or file belongs to root or the effective user, and nobody else can change its contents.
bool is_trusted(uid_t owner, mode_t mode);

}  // namespace perle
