# SPDX-License-Identifier: Apache-2.0
#
# The host library's own tests with faults built into the library's files, which lie in MUTATED as in host/src.
# Tests and headers are those of the checkout: they are compiled once.
#
#   make -f perle/trust/mutants.mk OUT=… MUTATED=…

.DEFAULT_GOAL := unit
PCH_mutant = $(OUT)/mutant/usual.hpp.gch
CHOICE := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))mutants.hpp
# No optimization: compiling is what takes the time. A choice may well look odd: no warnings.
MUTANT := -O0 -w -Wno-error
MORE_mutant = $(MUTANT) -include $(OUT)/mutant/usual.hpp

include $(dir $(abspath $(lastword $(MAKEFILE_LIST))))../../host/Makefile

$(eval $(call rules,mutant))
$(foreach part,$(PARTS),$(eval $(call part_rules,mutant,$(MUTATED)/$(notdir $(part)))))

$(PCH_mutant): $(HERE)/Makefile $(CHOICE) | $(OUT)/mutant
	printf '#include <%s>\n' $(USUAL) > $(OUT)/mutant/usual.hpp
	printf '#include "%s"\n' $(CHOICE) >> $(OUT)/mutant/usual.hpp
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(MUTANT) -x c++-header -o $@ $(OUT)/mutant/usual.hpp

# Quickest first: a run stops at the first failure. Those of SLOW wait for boards that do not answer.
SLOW := links fork link_threads
LAST := bignum batch faults
test_files = $(1:%=$(HERE)/tests/test_%.cpp)
# test_zeroized.cpp puts its own functions in place of those that free memory.
QUICK := $(filter-out $(call test_files,zeroized $(SLOW) $(LAST)),$(TESTS)) $(call test_files,$(LAST))
TESTS_quick := $(QUICK)
TESTS_slow := $(call test_files,main $(SLOW))
.PHONY: unit
unit: $(OUT)/mutant/quick $(OUT)/mutant/slow $(OUT)/softboard.so
define program
$(OUT)/mutant/$(1): $(call objects,mutant) $(call test_objects,mutant,$(TESTS_$(1)) $(FIXTURE))
	$$(CXX) $$(CXXFLAGS) $$(MUTANT) -o $$@ $$^ $$(LDLIBS)
endef
$(foreach one,quick slow,$(eval $(call program,$(one))))
