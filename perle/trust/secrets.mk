# SPDX-License-Identifier: Apache-2.0
#
# The program of host/tests/ctgrind.cpp with line numbers, which change nothing of the code that is made: reports are
# told apart by the lines that cause them. A file of its own, because host/Makefile belongs to what measured and
# recorded results were made of.
#
#   make -f perle/trust/secrets.mk OUT=…  builds OUT/marked/ctgrind

.DEFAULT_GOAL := marked
MINE := $(abspath $(lastword $(MAKEFILE_LIST)))
PCH_marked = $(OUT)/marked/usual.hpp.gch
MORE_marked = -g -include $(OUT)/marked/usual.hpp

include $(dir $(MINE))../../host/Makefile

$(eval $(call rules,marked))
$(foreach part,$(PARTS),$(eval $(call part_rules,marked,$(part))))

$(PCH_marked): $(HERE)/Makefile $(MINE) | $(OUT)/marked
	printf '#include <%s>\n' $(USUAL) > $(OUT)/marked/usual.hpp
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) -g -x c++-header -o $@ $(OUT)/marked/usual.hpp

$(OUT)/marked/ctgrind: $(call objects,marked) $(call test_objects,marked,$(HERE)/tests/ctgrind.cpp $(HERE)/tests/test_main.cpp $(FIXTURE))
	$(CXX) $(CXXFLAGS) $(MADE:%=-Wl,--wrap=BN_%) -o $@ $^ $(LDLIBS)

.PHONY: marked
marked: $(OUT)/marked/ctgrind
