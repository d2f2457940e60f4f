# SPDX-License-Identifier: Apache-2.0
#
# All fuzz targets: those of host/Makefile, and the provider inside of libcrypto. A file of its own, because
# host/Makefile belongs to what measured and recorded results were made of.
#
#   make -f host/fuzz/targets.mk seeds            all seeds
#   make -f host/fuzz/targets.mk fuzz TIME=60     then changed ones, so many seconds each; or TARGETS=provider
#   make -f host/fuzz/targets.mk PROGRAM SOURCE=  PROGRAM (a path), with the target in SOURCE and no library

.DEFAULT_GOAL := seeds
TARGETS ?= key spec settings calls batch provider

include $(dir $(abspath $(lastword $(MAKEFILE_LIST))))../Makefile

EVP := provider evp_keys evp_work evp_finish
$(EVP:%=$(OUT)/asan/fuzz_%.o): $(HERE)/fuzz/evp_keys.hpp $(HERE)/fuzz/evp_work.hpp $(HERE)/fuzz/board.hpp
$(EVP:%=$(OUT)/asan/fuzz_%.o): CPPFLAGS += -I$(HERE)/provider/tests
# The boards of the target, which breaks them while they are open.
BOARD := $(OUT)/asan/fuzz_board.so
$(OUT)/asan/fuzz_provider.o: CPPFLAGS += -DPERLE_FUZZ_BOARD='"$(BOARD)"'
$(OUT)/asan/fuzz_provider.o: $(HERE)/fuzz/targets.mk

$(BOARD): $(HERE)/fuzz/board.cpp $(SOFT_SO) $(wildcard $(HERE)/tests/soft*.hpp) $(PACKAGE)/boards/sim/perle_sim.h $(DEPENDS) | $(OUT)/asan
	$(CXX) $(CPPFLAGS) -I$(HERE)/tests $(CXXFLAGS) -shared -o $@.$$$$.new $(HERE)/fuzz/board.cpp \
	  $(filter-out %/softboard_sim.cpp,$(SOFT_SO)) $(LDLIBS) && mv $@.$$$$.new $@

$(OUT)/asan/target_provider: $(EVP:%=$(OUT)/asan/fuzz_%.o) $(OUT)/asan/fuzz_driver.o $(OUT)/asan/fuzz_checks.o $(call objects,asan) $(call provider_objects,asan) $(OUT)/asan/ptest_harness.o | $(BOARD)
	$(CXX) $(CXXFLAGS) $(ASAN) -o $@ $^ $(LDLIBS)

ifdef SOURCE
$(MAKECMDGOALS): $(SOURCE) $(OUT)/asan/fuzz_driver.o
	$(CXX) $(CPPFLAGS) -I$(HERE)/fuzz $(CXXFLAGS) $(ASAN) -o $@ $^ $(LDLIBS)
endif
