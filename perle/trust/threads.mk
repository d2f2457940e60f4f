# SPDX-License-Identifier: Apache-2.0
#
# The programs of host/tests/threads.mk, and one with a race on purpose: $(OUT)/tsan/racy.
#
#   make -f perle/trust/threads.mk PROGRAM

OWN := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

include $(OWN)../../host/tests/threads.mk

$(OUT)/tsan/racy: $(OWN)racy.cpp $(DEPENDS) | $(OUT)/tsan
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(TSAN) -o $@ $< $(LDLIBS)
