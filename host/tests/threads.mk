# SPDX-License-Identifier: Apache-2.0
#
# Everything that threads share, under the thread sanitizer: the library, the provider inside of libcrypto, and
# the software board as a shared object; more than `make tsan` of host/Makefile has. A file of its own, because
# host/Makefile belongs to what measured and recorded results were made of.
#
#   make -f host/tests/threads.mk          builds and runs both programs
#   make -f host/tests/threads.mk ONLY=…   those tests whose names contain it
#
# libcrypto is not compiled for the sanitizer, which sees its locks, memory and copies, but neither its atomic
# counters nor its accesses: nothing that is reported has to be left out for that.

.DEFAULT_GOAL := threads
# The headers that most files include, compiled once, as for the other sanitizers.
PCH_tsan = $(OUT)/tsan/usual.hpp.gch

include $(dir $(abspath $(lastword $(MAKEFILE_LIST))))../Makefile

FLAGS_tsan := $(TSAN)
MORE_tsan  := $(TSAN) -include $(OUT)/tsan/usual.hpp

# Its fence is between processes, which the sanitizer does not follow: no thread reads what is written before it.
$(OUT)/tsan/provider_status_page.o: MORE_tsan += -Wno-tsan

# Tests in which threads share sets of boards, lanes, links, batches, keys and systems.
SHARED := threads link_threads silence lanes recovery batch batch_faults system_set
ONLY   ?=

.PHONY: threads
threads: $(OUT)/tsan/shared $(OUT)/tsan/provider $(OUT)/tsan/softboard.so
	$(RUN) $(OUT)/tsan/shared $(ONLY)
	$(RUN) $(OUT)/tsan/provider $(ONLY)

# A race ends a program with this code even where every test passed.
RUN = SOFTBOARD_SO=$(OUT)/tsan/softboard.so TSAN_OPTIONS="exitcode=66 $(TSAN_OPTIONS)"

$(PCH_tsan): $(HERE)/Makefile | $(OUT)/tsan
	printf '#include <%s>\n' $(USUAL) > $(OUT)/tsan/usual.hpp
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(FLAGS_tsan) -x c++-header -o $@ $(OUT)/tsan/usual.hpp

$(OUT)/tsan/shared: $(call objects,tsan) $(call test_objects,tsan,$(SHARED:%=$(HERE)/tests/test_%.cpp) $(HERE)/tests/test_main.cpp $(FIXTURE))
	$(CXX) $(CXXFLAGS) $(TSAN) -o $@ $^ $(LDLIBS)

$(OUT)/tsan/softboard.so: $(SOFT_SO) $(wildcard $(HERE)/tests/soft*.hpp) $(PACKAGE)/boards/sim/perle_sim.h $(DEPENDS) | $(OUT)/tsan
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(TSAN) -shared -o $@.$$$$.new $(SOFT_SO) $(LDLIBS) && mv $@.$$$$.new $@

$(OUT)/tsan/ptest_%.o: $(HERE)/provider/tests/%.cpp $(DEPENDS) $(PCH_tsan) | $(OUT)/tsan
	$(CXX) $(CPPFLAGS) -I$(HERE)/provider -I$(HERE)/tests $(CXXFLAGS) $(MORE_tsan) -MMD -MP -MF $(@:.o=.dep) -c -o $@ $<
$(OUT)/tsan/provider: $(call objects,tsan) $(call provider_objects,tsan) $(addprefix $(OUT)/tsan/,ptest_harness.o ptest_test_threads.o test_main.o)
	$(CXX) $(CXXFLAGS) $(TSAN) -o $@ $^ $(LDLIBS)
