# SPDX-License-Identifier: Apache-2.0
#
# The host library's own tests with faults built into the library's files, which lie in MUTATED as in host/src.
# Tests and headers are those of the checkout: they are compiled once.
#
#   make -f perle/trust/mutants.mk OUT=… MUTATED=…

.DEFAULT_GOAL := unit
PCH_mutant = $(OUT)/mutant/usual.hpp.gch
MINE := $(abspath $(lastword $(MAKEFILE_LIST)))
CHOICE := $(dir $(MINE))mutants.hpp
# Little optimization: compiling takes as long as the tests. A choice may well look odd: no warnings.
# An index out of range ends the program, as the sanitizers of `make test` would.
MUTANT := -O1 -w -Wno-error -D_GLIBCXX_ASSERTIONS
MORE_mutant = $(MUTANT) -include $(OUT)/mutant/usual.hpp

include $(dir $(MINE))../../host/Makefile

$(eval $(call rules,mutant))
$(foreach part,$(PARTS),$(eval $(call part_rules,mutant,$(MUTATED)/$(notdir $(part)))))

$(PCH_mutant): $(HERE)/Makefile $(MINE) $(CHOICE) | $(OUT)/mutant
	printf '#include <%s>\n' $(USUAL) > $(OUT)/mutant/usual.hpp
	printf '#include "%s"\n' $(CHOICE) >> $(OUT)/mutant/usual.hpp
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(MUTANT) -x c++-header -o $@ $(OUT)/mutant/usual.hpp

# Quickest first: a run stops at the first failure. Those of SLOW wait for boards that do not answer.
SLOW := links fork link_threads
LAST := bignum batch faults
test_files = $(1:%=$(HERE)/tests/test_%.cpp)
# test_zeroized.cpp puts its own functions in place of those that free memory: a program of its own.
QUICK := $(filter-out $(call test_files,zeroized $(SLOW) $(LAST)),$(TESTS)) $(call test_files,$(LAST))
TESTS_quick := $(QUICK)
TESTS_slow := $(call test_files,main $(SLOW))
TESTS_zeroized := $(call test_files,main zeroized)
PROGRAMS := quick slow zeroized
.PHONY: unit
unit: $(PROGRAMS:%=$(OUT)/mutant/%) $(OUT)/mutant/libperle.so $(OUT)/softboard.so
define program
$(OUT)/mutant/$(1): $(call objects,mutant) $(call test_objects,mutant,$(TESTS_$(1)) $(FIXTURE))
	$$(CXX) $$(CXXFLAGS) $$(MUTANT) -o $$@ $$^ $$(LDLIBS)
endef
$(foreach one,$(PROGRAMS),$(eval $(call program,$(one))))

# What the tests of the binding in Python load.
$(OUT)/mutant/libperle.so: $(call objects,mutant) $(HERE)/libperle.map
	$(CXX) $(CXXFLAGS) $(MUTANT) -shared -Wl,--version-script=$(HERE)/libperle.map -o $@ $(filter %.o,$^) $(LDLIBS)
