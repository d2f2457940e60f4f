# SPDX-License-Identifier: Apache-2.0
#
# The library's own tests with counts of what they execute: gcc writes them beside each object, gcov reads them.
# A file of its own, because host/Makefile belongs to what measured and recorded results were made of.
#
#   make -f host/tests/coverage.mk coverage         builds and runs the tests; .gcda files in build/host/counted
#   make -f host/tests/coverage.mk coverage ONLY=…  those tests whose names contain it
#   make -f host/tests/coverage.mk counted-library  libperle.so of the same objects, for tests in Python

.DEFAULT_GOAL := coverage
PCH_counted = $(OUT)/counted/usual.hpp.gch
COUNTED := --coverage -O0
MORE_counted = $(COUNTED) -include $(OUT)/counted/usual.hpp

include $(dir $(abspath $(lastword $(MAKEFILE_LIST))))../Makefile

$(eval $(call rules,counted))
$(foreach part,$(PARTS),$(eval $(call part_rules,counted,$(part))))

$(PCH_counted): $(HERE)/Makefile $(HERE)/tests/coverage.mk | $(OUT)/counted
	printf '#include <%s>\n' $(USUAL) > $(OUT)/counted/usual.hpp
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(COUNTED) -x c++-header -o $@ $(OUT)/counted/usual.hpp

# test_zeroized.cpp puts its own functions in place of those that free memory.
$(OUT)/counted/unit: $(call objects,counted) $(call test_objects,counted,$(filter-out %/test_zeroized.cpp,$(TESTS)) $(FIXTURE))
	$(CXX) $(CXXFLAGS) $(COUNTED) -o $@ $^ $(LDLIBS)

ONLY ?=
.PHONY: coverage
coverage: $(OUT)/counted/unit $(OUT)/softboard.so
	rm -f $(OUT)/counted/*.gcda
	SOFTBOARD_SO=$(OUT)/softboard.so $(OUT)/counted/unit $(ONLY)

$(OUT)/counted/libperle.so: $(call objects,counted) $(HERE)/libperle.map
	$(CXX) $(CXXFLAGS) $(COUNTED) -shared -Wl,--version-script=$(HERE)/libperle.map -o $@ \
	  $(call objects,counted) $(LDLIBS)

.PHONY: counted-library
counted-library: $(OUT)/counted/libperle.so
